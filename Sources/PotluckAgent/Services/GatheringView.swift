import SyncEngine

/// What this device knew at one moment, for whoever lists or reports: it never changes, and any thread may read it.
///
/// **Whoever keeps a view makes the engine copy what it changes.** A view shares its collections with the engine, so that
/// making one costs the same whatever the gathering's size; the first change of a collection that a view still shares
/// copies all of it. Therefore ``EngineHost`` makes a view only when it is asked for one, keeps it for those who ask next,
/// and drops it before the engine's next input: a gathering that nobody looks at is never copied, and one that somebody
/// looks at once for each view at most. Readers let go of a view before they wait for a change.
final class GatheringView: Sendable {
    let engine: Engine

    init(_ engine: Engine) { self.engine = engine }
}
