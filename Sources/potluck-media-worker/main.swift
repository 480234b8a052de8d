import Glibc
import MediaWorker

exit(MediaWorkerCommand.run(CommandLine.arguments))
