"""desk.py PORT is a desk with tickets, served by Flask's development server."""
import logging
import sys

import flask

app = flask.Flask(__name__)
log = logging.getLogger("desk")
logging.basicConfig(format="%(message)s", level=logging.INFO)


def owner_of(ticket):
    return {"80111": {"mail": "ada@example.com"}}[ticket]["mail"]


@app.route("/tickets/<ticket>/owner", methods=["GET", "POST"])
def owner(ticket):
    return owner_of(ticket)


@app.route("/<path:path>", methods=["GET", "POST"])
def page(path):
    log.info("desk: %s rendered, 0 errors", path)
    return path


app.run(port=int(sys.argv[1]))
