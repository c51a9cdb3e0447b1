"""A help desk. It answers by itself, but asks a person before it promises money."""

VERSION = 1
