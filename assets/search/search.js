// Sphinx's search, made for questions: small words need not occur, chapters come before lists, excerpts are sentences.
stopwords.push("can", "could", "do", "does", "how", "i", "me", "must", "my", "should", "we", "what", "when", "where", "which", "who", "why", "you");
Scorer.score = ([page, , , , score]) => (/reference\//.test(page) ? score / 3 : score);

// The sentence of a page, or of the section found, that holds most of the words that were asked for.
Search.makeSearchSummary = (html, words, anchor) => {
  const page = new DOMParser().parseFromString(html, "text/html");
  page.querySelectorAll(".katex").forEach((formula) => formula.replaceWith(formula.querySelector("math")?.textContent ?? ""));
  const section = anchor && page.getElementById(anchor.slice(1));
  const paragraphs = [...(section || page.querySelector("main article")).querySelectorAll("p, li, dd")];
  const sentences = paragraphs.filter((p) => !p.closest("details")).flatMap((p) => p.textContent.match(/\S.*?[.?!](?=\s|$)/gs) ?? []);
  const said = (sentence) => [...words].filter((word) => sentence.toLowerCase().includes(word)).length;
  const best = sentences.reduce((best, sentence) => (said(sentence) > said(best) ? sentence : best), sentences[0] ?? "");
  return Object.assign(document.createElement("p"), { className: "context", textContent: best.replace(/\s+/g, " ") });
};
