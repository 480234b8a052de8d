import Testing

/// Real agents on laptops that hang on one bridge: a network namespace, a D-Bus and an Avahi daemon each.
///
/// Every test has laptops of its own. `POTLUCK_BINARY` names the agent, `POTLUCK_LAB_ROOT` the directory for all files.
/// All waits have limits of their own, which say what was missing; the limit of a test is for one that hangs.
@Suite(
    "Lab", .serialized,
    .enabled(if: Machine.obstacle == nil, Comment(rawValue: Machine.obstacle ?? "this machine can run labs")),
    .timeLimit(.minutes(25)))
struct LabTests {}
