import AgentProbe
import Glibc
import StoreProbe

exit(StoreOperation.run(CommandLine.arguments, among: StoreOperation.ofAgents, faults: .loaded))
