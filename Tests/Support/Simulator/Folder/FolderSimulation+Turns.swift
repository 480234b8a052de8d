import AlbumModel
import FolderEngine

/// Tasks that wait for one another, people who ask what waits for them, and answers that come twice or late.
extension FolderSimulation {
    /// So many answers come in between before one comes once more.
    private static let lateAnswerCount = 7

    /// A person who asks what waits for them, …
    struct Asking {
        let task: TaskNumber
        /// … and when they have waited for long enough.
        let end: MonotonicInstant
    }

    // MARK: Turns

    /// Whether a task has these turns; it asks for them first.
    mutating func hasTurns(_ turns: Set<Turn>, of index: Int) -> Bool {
        let asked = tasks[index].numbers[turns]
        let task = asked ?? newNumber()
        if asked == nil {
            tasks[index].numbers[turns] = task
            letGoOn(.turnsWanted(task, turns))
        }
        guard begun.contains(task) else { return false }
        usedTurns.formUnion(turns)
        return true
    }

    mutating func pass(_ turns: Set<Turn>, of index: Int) {
        guard let task = tasks[index].numbers.removeValue(forKey: turns) else { return }
        letGoOn(.turnsOver(task))
        begun.remove(task)
        usedTurns.subtract(turns)
        // Nothing follows from what is over already.
        letGoOn(.turnsOver(task))
    }

    private mutating func newNumber() -> TaskNumber {
        taskCount += 1
        return TaskNumber(taskCount)
    }

    private mutating func letGoOn(_ input: FolderInput) {
        for directive in judge.handle(input, now: now) { letGoOn(directive) }
    }

    mutating func letGoOn(_ directive: FolderDirective) {
        switch directive {
        case .begin(let task):
            if !begun.insert(task).inserted { violated("a task began twice") }
        case .wait(let task, let limit): asking = Asking(task: task, end: now + limit)
        case .answer(let task, let isKnown):
            // Of two answers to one question the second is let be.
            guard task == asking?.task else { break }
            if isKnown != judge.isHeldKnown { violated("a person was told what is not so") }
            asking = nil
        default: violated("turns and questions have \(directive) done")
        }
    }

    // MARK: Questions

    /// After a start amid a hold.
    mutating func ask() {
        guard judge.pending.held != nil, !judge.isHeldKnown else { return }
        tell("a person asks what waits")
        letGoOn(.asked(newNumber()))
        if asking == nil { violated("a person got neither an answer nor a time to wait") }
    }

    mutating func endAsking() {
        guard let asking, asking.end <= now else { return }
        // They do not wait any longer than that.
        letGoOn(.waited(asking.task))
        if self.asking != nil { violated("a person waits for ever") }
    }

    // MARK: Answers

    /// Hands in an answer, once more at once, and later.
    mutating func answer(_ input: FolderInput) -> [Step] {
        let steps = handle(input)
        expectNothing(of: input, "twice")
        if Self.isAboutOneLook(input) { lateAnswers.append(input) }
        if lateAnswers.count > Self.lateAnswerCount { expectNothing(of: lateAnswers.removeFirst(), "late") }
        return steps
    }

    private mutating func expectNothing(of input: FolderInput, _ how: String) {
        // It ends its work: it must come once.
        if case .checked(let check, _) = input, case .vanished = check.reason { return }
        if !judge.handle(input, now: now).isEmpty {
            violated("something follows from what was answered \(how): \(input)")
        }
    }

    /// Others do not name what they answer.
    private static func isAboutOneLook(_ input: FolderInput) -> Bool {
        switch input {
        case .looked, .compared, .examined, .imported, .contributed, .notContributed, .finished(.look): true
        default: false
        }
    }

    // MARK: Damage

    /// A file on its way to the quarantine.
    enum SettingAside {
        case begin(BlobID, inode: UInt64)
        case move(FolderPath, FileRecord)
    }

    /// The store finds that the disk has lost bytes of a photo, whose file the folder's may be.
    mutating func loseBytes() {
        guard isRunning, let path = judge.state.files.keys.sorted().randomElement(using: &random) else { return }
        let record = judge.state.files[path]!
        tell("the disk has damaged \(path)")
        tasks.append(Task(steps: [.setAside(.begin(record.photo.blob, inode: record.signature.inode))]))
    }

    mutating func setAside(_ step: SettingAside, of index: Int) -> [Step]? {
        switch step {
        case .begin(let blob, let inode):
            guard hasTurns([.photo(blob)], of: index) else { return nil }
            return handle(.damaged(blob, inode: inode)) + [.pass([.photo(blob)])]
        case .move(let path, let record):
            var outcome = FolderInput.SettingAside.stayed
            if case .file(let file) = disk.stat(path), file.signature.isSameFile(as: record.signature) {
                tell("set aside \(path) \(file.content)")
                disk.set(path, nil)
                takenAway[path] = record.photo
                notice(.vanished(path), in: path.parent)
                outcome = .moved
            }
            return [.answer(.setAside(path, record, isUnlucky() ? .unknown : outcome))]
        }
    }
}
