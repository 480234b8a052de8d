"""Browsers on simulated laptops, driven from outside of them."""
