import Glibc
import StoreProbe

exit(StoreOperation.run(CommandLine.arguments, among: StoreOperation.all, faults: .loaded))
