"""Write the reference pages from what the executed notebooks say: ledger, graph, notation, corrections."""
