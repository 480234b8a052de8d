import Glibc
import PotluckCommands

@main
enum Potluck {
    static func main() async {
        exit(await PotluckCommandLine.run(Array(CommandLine.arguments.dropFirst())))
    }
}
