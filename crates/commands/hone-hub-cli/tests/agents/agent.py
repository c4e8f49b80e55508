"""A program that works, with Pyroscope's agent for Python; its argument is the hub's address."""

import sys

import pyroscope


def busy(rounds):
    total = 0
    for number in range(rounds):
        total += number * number
    return total


def work():
    while True:
        busy(100_000)


pyroscope.configure(
    application_name="python-shop",
    server_address=sys.argv[1],
    sample_rate=100,
    tags={"region": "eu", "hostname": "web-1"},
)
work()
