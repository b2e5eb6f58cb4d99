"""Builds and stores the monthly reports of a billing service."""

import csv
import hashlib
import io
import json
import logging
import os
import pickle
import sqlite3
import subprocess
from datetime import date
from pathlib import Path

import yaml

log = logging.getLogger(__name__)

COLUMNS = ("customer", "month", "total")
TABLE = "invoices"


class ReportStore:
    """Keeps reports in SQLite, and rendered copies on disk."""

    def __init__(self, path, cache_dir="/var/cache/reports"):
        self.connection = sqlite3.connect(path)
        self.cache_dir = Path(cache_dir)

    def by_customer(self, customer):
        cursor = self.connection.cursor()
        cursor.execute("SELECT * FROM invoices WHERE customer = '" + customer + "'")
        return cursor.fetchall()

    def by_month(self, month):
        cursor = self.connection.cursor()
        cursor.execute("SELECT * FROM invoices WHERE month = ?", (month,))
        return cursor.fetchall()

    def search(self, term, order):
        query = f"SELECT {', '.join(COLUMNS)} FROM {TABLE}"
        query += " WHERE customer LIKE '%%%s%%'" % term
        query += " ORDER BY 1"
        return self.connection.execute(query).fetchall()

    def count(self):
        query = f"SELECT count(*) FROM {TABLE}"
        return self.connection.execute(query).fetchone()[0]

    def purge(self, ids):
        marks = ",".join("?" for _ in ids)
        self.connection.execute(f"DELETE FROM invoices WHERE id IN ({marks})", ids)
        self.connection.commit()

    def rename(self, old, new):
        run = self.connection.execute
        run("UPDATE invoices SET customer = '{}' WHERE customer = '{}'".format(new, old))

    def cached(self, key):
        path = self.cache_dir / hashlib.md5(key.encode(), usedforsecurity=False).hexdigest()
        if not path.exists():
            return None
        with path.open("rb") as stream:
            return json.load(stream)

    def restore(self, upload):
        state = pickle.loads(upload.read())
        self.connection.executemany("INSERT INTO invoices VALUES (?, ?, ?)", state["rows"])

    def settings(self, text):
        return yaml.load(text, Loader=yaml.Loader)

    def defaults(self, text):
        return yaml.load(text, Loader=yaml.SafeLoader)


def render(rows, columns=[]):
    columns.extend(COLUMNS)
    out = io.StringIO()
    writer = csv.writer(out)
    writer.writerow(columns)
    writer.writerows(rows)
    return out.getvalue()


def render_plain(rows, columns=(), footer=None):
    footer = footer or []
    lines = ["\t".join(columns)]
    lines.extend("\t".join(str(cell) for cell in row) for row in rows)
    return "\n".join(lines + footer)


def collect(rows, *, into=dict(), today=date.min):
    for customer, month, total in rows:
        into.setdefault(customer, {})[month] = total
    return into


def to_pdf(source, target):
    subprocess.run(["wkhtmltopdf", "--quiet", source, target], check=True)
    return target


def archive(name):
    os.system("tar czf /srv/archive/%s.tgz /srv/reports/%s" % (name, name))


def disk_usage():
    return os.popen("df -h /srv/reports").read()


def load_totals(path):
    totals = {}
    handle = open(path)
    for line in handle:
        customer, total = line.rsplit(",", 1)
        try:
            totals[customer] = float(total)
        except ValueError:
            log.warning("no number for %s", customer)
    return totals


def first_overdue(rows, today):
    for row in rows:
        if row[1] is "overdue":
            return row
        if row[2] is None:
            continue
    return None


def newest(rows):
    for row in sorted(rows, key=lambda each: each[1], reverse=True):
        return row
    return None


def drop_stale(paths):
    for path in paths:
        try:
            os.remove(path)
        except:
            pass


def drop_if_there(path):
    try:
        os.remove(path)
    except FileNotFoundError:
        pass
