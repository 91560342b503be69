"""Reads series from stdin as a JSON list of lists, prints the change points that Apache Otava finds in each, by index."""

import json
import sys

from otava.analysis import compute_change_points


def main():
    found = []
    for series in json.load(sys.stdin):
        points, _weak = compute_change_points(series, window_len=50, max_pvalue=0.001)
        found.append([int(point.index) for point in points])
    json.dump(found, sys.stdout)


main()
