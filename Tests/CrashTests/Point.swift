import Glibc
import StoreProbe

/// One call of an operation that one fault is to strike.
struct Point: Sendable {
    struct Outcome: Sendable {
        var breaches: [String]
        /// Whether the call came at all.
        var isHit: Bool
    }

    let operation: StoreOperation
    let fault: Fault
    /// What an undisturbed run says.
    let promises: [Acknowledgement]
    let call: Int

    /// Runs the operation, lets the fault strike, and starts again.
    func strike(on stage: Stage) -> Outcome {
        do {
            return try stage.withRoot { root in
                let run = try ProbeRun(operation, root: root, fault: fault, call: call)
                let restart = Restart(promises: promises, operation: operation, root: root)
                let place = "\(operation.name), \(fault) at call \(call), \(run.hit ?? "which never came")"
                let breaches = misbehaviour(run) + restart.breaches(of: run, fault)
                return Outcome(breaches: breaches.map { "\(place): \($0)" }, isHit: run.hit != nil)
            }
        } catch {
            return Outcome(breaches: ["\(operation.name), \(fault) at call \(call): \(error)"], isHit: false)
        }
    }

    /// How a process that was struck should end.
    private func misbehaviour(_ run: ProbeRun) -> [String] {
        if run.hit == nil, !operation.isSteady {
            return run.status == 0 ? [] : ["it ended with \(run.status) although nothing struck it"]
        }
        switch fault.answer {
        case .none: return run.status == 128 + SIGKILL ? [] : ["it ended with \(run.status), and was to be killed"]
        case .ends: return [0, 1].contains(run.status) ? [] : ["it ended with \(run.status)"]
        case .goesOn:
            guard run.status == 0, run.acknowledgements.last == .done else {
                return ["it did not go on: status \(run.status), \(run.failures.joined(separator: "; "))"]
            }
            return []
        }
    }
}
