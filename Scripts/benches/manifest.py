"""stub"""
def add_options(parser): pass
def run(o,w): pass
