/// People who ask what waits for them while that is still being found out.
struct HeldQuestions: Sendable {
    private(set) var open: Set<TaskNumber> = []
    /// The folder stops: nobody finds it out any more.
    private(set) var isOver = false

    mutating func add(_ task: TaskNumber) { open.insert(task) }

    mutating func close(_ task: TaskNumber) { open.remove(task) }

    /// Closes all, ordered.
    mutating func closeAll() -> [TaskNumber] {
        defer { open = [] }
        return open.sorted()
    }

    mutating func end() { isOver = true }
}

/// How long a person waits for an answer.
extension FolderJudge {
    mutating func asked(_ task: TaskNumber) -> [FolderDirective] {
        if isHeldKnown || pending.questions.isOver { return [.answer(task, isKnown: isHeldKnown)] }
        pending.questions.add(task)
        return [.wait(task, atMost: settings.heldPatience)]
    }

    /// Whoever has waited for long enough is answered at once: an answer that was given before may be performed behind much
    /// else, or never.
    mutating func waited(_ task: TaskNumber) -> [FolderDirective] {
        pending.questions.close(task)
        return [.answer(task, isKnown: isHeldKnown)]
    }

    /// Answers all who ask, once there is an answer.
    mutating func answers() -> [FolderDirective] {
        guard !pending.questions.open.isEmpty, isHeldKnown || pending.questions.isOver else { return [] }
        return pending.questions.closeAll().map { .answer($0, isKnown: isHeldKnown) }
    }
}
