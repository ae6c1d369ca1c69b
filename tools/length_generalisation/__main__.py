"""Train, measure, and write the numbers with their origin beside the page that shows them."""

import json

from tools.stored import store

from . import rows, settings

if __name__ == "__main__":
    results = []
    for row in rows():
        results.append(row)
        print(json.dumps(row, ensure_ascii=False), flush=True)
    store("5-practice/53-length-generalisation", "length_generalisation", {**settings(), "rows": results})
