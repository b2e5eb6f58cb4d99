"""Reads measurements from many sensors and writes daily summaries."""

import builtins
import contextlib
import dataclasses
import marshal
import os
import shelve
import shlex
import socket
import subprocess as sp
import tarfile
import threading
from math import isnan
from typing import ClassVar

import numpy as np
import torch

QUEUE = []


@dataclasses.dataclass
class Channel:
    name: str
    limits: tuple = (0.0, 1.0)
    values: list = dataclasses.field(default_factory=list)


class Sensor:
    registry: ClassVar[dict] = {}

    def __init__(self, name, tags=None):
        self.name = name
        self.tags = tags if tags is not None else []
        Sensor.registry[name] = self

    def label(self, *, extra={"unit": "V"}):
        extra.update(name=self.name)
        return extra


def grid(width, height):
    cells = [[0] * width] * height
    cells[0][0] = 1
    return cells


def blank(width, height):
    return [[0] * width for _ in range(height)]


def buckets(names):
    return dict.fromkeys(names, [])


def is_missing(value):
    return value == float("nan")


def has_gap(values):
    return any(each == np.nan for each in values)


def is_missing_properly(value):
    return isnan(value)


def kind(value):
    if type(value) == "int":
        return "whole"
    return "other"


def small(value):
    return value is 0 or value is not -1


def assert_ready(sensor):
    assert (sensor.name, "a sensor has a name")


def assert_named(sensor):
    assert sensor.name, "a sensor has a name"


def read_config(name):
    loader = getattr(builtins, "eval")
    with open(f"/etc/sensors/{os.path.basename(name)}.conf", encoding="utf-8") as text:
        return loader(text.read())


def load_frames(connection):
    return marshal.loads(connection.recv(1 << 16))


def load_model(path):
    return torch.load(path, weights_only=False)


def load_weights(path):
    return torch.load(path, weights_only=True)


def unpack(archive, target):
    with tarfile.open(archive) as bundle:
        bundle.extractall(target)


def unpack_safely(archive, target):
    with tarfile.open(archive) as bundle:
        bundle.extractall(target, filter="data")


def flash(port, image):
    command = ["sh", "-c"]
    command.append("esptool --port {} write_flash 0 {}".format(port, image))
    sp.check_call(command)


def flash_quoted(port, image):
    line = f"esptool --port {shlex.quote(port)} write_flash 0 {shlex.quote(image)}"
    sp.check_call(line, shell=True)


def probe(host):
    link = socket.create_connection((host, 7000), timeout=5)
    link.sendall(b"?\n")
    return link.recv(64).decode()


def probe_once(host):
    with socket.create_connection((host, 7000), timeout=5) as link:
        link.sendall(b"?\n")
        return link.recv(64).decode()


def line_count(path):
    return len(open(path, encoding="utf-8").readlines())


def opened(stack, paths):
    return [stack.enter_context(open(path, encoding="utf-8")) for path in paths]


def remember(values):
    shelf = shelve.open("/var/lib/sensors/state")
    shelf["values"] = values
    shelf.close()


def drain(sensors):
    results = []
    for sensor in sensors:
        with contextlib.suppress(Exception):
            results.append(sensor.read())
    return results


def clean(names):
    names = sorted(names)
    for name in names:
        name.strip().lower()
    sorted(names, key=len)
    names.sort(key=len)
    return names


def retry(sensor):
    while True:
        try:
            return sensor.read()
        except TimeoutError:
            sensor.reset()


def next_ready(sensors):
    while sensors:
        sensor = sensors.pop()
        if sensor.tags:
            result = sensor.name
        else:
            result = None
        break
    return result


def watch(sensor):
    def work():
        try:
            sensor.watch()
        except BaseException as error:
            del error

    threading.Thread(target=work, daemon=True).start()
