// The article of this page as a chapter of one document that holds several: HTML. `addresses` are the pages printed, in
// order; ids of page 3 begin with p3-, links between printed pages lead to these, links to other files of the site go.
addresses => {
  const place = address => addresses.indexOf(address.split('#')[0]), mine = `p${place(location.href)}`;
  const article = document.querySelector('article.bd-article').cloneNode(true);
  const lists = ['for', 'aria-labelledby', 'aria-describedby', 'aria-controls', 'aria-details'];
  for (const e of article.querySelectorAll('*')) {
    if (e.id) e.id = `${mine}-${e.id}`;
    for (const { name, value } of e.attributes)
      if (value.includes('url(#')) e.setAttribute(name, value.replaceAll('url(#', `url(#${mine}-`));
      else if (lists.includes(name)) e.setAttribute(name, value.replace(/\S+/g, `${mine}-$&`));
  }
  for (const e of article.querySelectorAll('use'))
    for (const name of ['href', 'xlink:href'])
      if (e.getAttribute(name)?.startsWith('#')) e.setAttribute(name, `#${mine}-${e.getAttribute(name).slice(1)}`);
  for (const e of article.querySelectorAll('a[href]')) {
    const url = new URL(e.getAttribute('href'), location), at = place(url.href);
    if (at >= 0) e.setAttribute('href', `#p${at}${url.hash && '-' + decodeURIComponent(url.hash.slice(1))}`);
    else if (url.protocol === location.protocol) e.removeAttribute('href');
  }
  for (const e of article.querySelectorAll('img')) e.src = e.src;
  article.querySelectorAll('script').forEach(e => e.remove());
  article.id = mine;
  return article.outerHTML;
}
