[Potluck]
title=Potluck
description=Photos between laptops in one place. The first port is the agent's where `listen = ":4711"` is set in potluck.toml.
ports=4711/tcp|5353/udp

[Potluck guests]
title=Potluck for phones
description=Pages for phones on this network, while `potluck guests on` has opened the door.
ports=4712/tcp
