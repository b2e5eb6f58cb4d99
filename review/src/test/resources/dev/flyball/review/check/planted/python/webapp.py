"""The web front of the report service."""

import hashlib
import hmac
import math
import os
import random
import secrets
import ssl
import string
import tempfile
import urllib.request
from subprocess import PIPE, Popen, run as launch
from xml.etree import ElementTree

import requests
from flask import Flask, abort, jsonify, request, send_file
from lxml import etree

app = Flask(__name__)
BASE = "/srv/reports"
ALPHABET = string.ascii_letters + string.digits
TOOLS = {"wc": ["wc", "-l"], "head": ["head", "-n", "5"]}
OPTIONS = {"shell": True, "stdout": PIPE}


@app.after_request
def headers(response):
    response.headers["X-Frame-Options"] = "DENY"
    response.headers["Access-Control-Allow-Origin"] = request.headers.get("Origin", "*")
    response.headers["Access-Control-Allow-Credentials"] = "true"
    return response


@app.route("/report/<name>")
def report(name):
    return send_file(os.path.join(BASE, request.args["file"]))

@app.route("/summary")
def summary():
    wanted = os.path.basename(request.args.get("file", ""))
    return send_file(os.path.join(BASE, wanted))


@app.route("/preview")
def preview():
    location = f"{BASE}/{request.args.get('folder')}/index.html"
    with open(location, encoding="utf-8") as page:
        return page.read()


@app.route("/grep")
def grep():
    term = request.args.get("q", "")
    done = launch(f"grep -r {term} {BASE}", shell=True, capture_output=True)
    return done.stdout


@app.route("/tool/<name>")
def tool(name):
    command = TOOLS.get(name)
    if command is None:
        abort(404)
    done = launch([*command, os.path.join(BASE, "all.csv")], capture_output=True, check=False)
    return done.stdout


@app.route("/convert", methods=["POST"])
def convert():
    target = request.form["target"]
    process = Popen("convert /tmp/in.svg " + target, **OPTIONS)
    return process.communicate()[0]


@app.route("/formula", methods=["POST"])
def formula():
    return jsonify(result=eval(request.form["expression"], {"__builtins__": {}}, vars(math)))


@app.route("/macro", methods=["POST"])
def macro():
    scope = {}
    code = compile(request.get_data(as_text=True), "<macro>", "exec")
    exec(code, scope)
    return jsonify(sorted(key for key in scope if not key.startswith("_")))


def evaluate(model, batch):
    model.eval()
    return [model(each) for each in batch]


@app.route("/import", methods=["POST"])
def import_invoice():
    parser = etree.XMLParser(resolve_entities=True, no_network=False)
    tree = etree.fromstring(request.data, parser=parser)
    return tree.findtext("customer")


def read_feed(path):
    parser = etree.XMLParser(resolve_entities=False, no_network=True)
    return etree.parse(path, parser)


def new_token():
    return "".join(random.choice(ALPHABET) for _ in range(32))


def reset_code(user):
    draw = random.Random(user.id)
    code = str(draw.randrange(10**6)).zfill(6)
    return code


def session_key():
    return secrets.token_urlsafe(32)


def jitter(base):
    return base * (1 + random.random() / 10)


def store_password(password, salt):
    return hashlib.md5((salt + password).encode()).hexdigest()


def store_pin(pin):
    digest = hashlib.new("sha1")
    digest.update(pin.encode())
    return digest.hexdigest()


def store_password_slowly(password, salt):
    return hashlib.pbkdf2_hmac("sha256", password.encode(), salt, 600_000)


def same_signature(given, wanted):
    return hmac.compare_digest(given, wanted)


def fetch(url):
    return requests.get(url, timeout=10, verify=False).json()


def fetch_all(urls):
    session = requests.Session()
    session.verify = False
    return [session.get(url, timeout=10).json() for url in urls]


def fetch_internal(url, bundle="/etc/ssl/internal.pem"):
    return requests.get(url, timeout=10, verify=bundle).json()


def fetch_plain(url):
    context = ssl._create_unverified_context()
    return urllib.request.urlopen(url, context=context, timeout=10).read()


def checked_context():
    context = ssl.create_default_context()
    context.minimum_version = ssl.TLSVersion.TLSv1_2
    return context


def scratch():
    descriptor, name = tempfile.mkstemp(suffix=".csv")
    os.close(descriptor)
    return name


if __name__ == "__main__":
    app.run(host="127.0.0.1", debug=True)
