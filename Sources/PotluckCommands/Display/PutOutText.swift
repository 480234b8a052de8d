import PotluckAPI

/// What people read who put laptops out.
enum PutOutText {
    /// What it means, before it is asked.
    static func question(_ plan: PutOutPlan) -> String {
        let names = Phrases.list(plan.out.map { quoted($0.laptop) })
        var lines = ["\(names) \(plan.out.count == 1 ? "is" : "are") to be put out."]
        lines += plan.out.flatMap(photos)
        lines.append(
            "  What \(plan.out.count == 1 ? "it has, it keeps" : "they have, they keep"); nothing new comes there.")
        if !plan.formerly.isEmpty {
            let earlier = Phrases.list(plan.formerly.map(described))
            lines.append("  Also put out, since it may still pass for them: \(earlier).")
        }
        for laptop in plan.formerlyStaying {
            lines.append("  It may still pass for \(described(laptop)), which stays unless you name it too.")
        }
        for laptop in plan.continuing {
            lines.append("  \(described(laptop)) was copied from its Potluck data, and stays unless you name it too.")
        }
        for laptop in plan.hostsNoMore {
            lines.append("  \(described(laptop)) was made a host by it: it stays, and is a host no longer.")
        }
        for laptop in plan.outAgain {
            lines.append("  \(described(laptop)) was let in by it, and is out again.")
        }
        for laptop in plan.comingBack {
            lines.append("  \(described(laptop)) is in again, unless you name it too: it was kept out by it alone.")
        }
        for laptop in plan.leftBehind {
            lines.append("  \(described(laptop)) was in by it alone, and needs the new phrase, or `potluck let-in`.")
        }
        if plan.isHostHere == true { lines.append("  This laptop becomes a host, and can name others.") }
        lines.append("  These stay: \(Phrases.list(plan.staying.map { quoted($0) })).")
        lines.append(
            "  They get a new phrase by themselves, those that are away once they are back; whoever comes needs it.")
        lines.append("  All doors for guests close, and their links end; `potluck guests on` opens one anew.")
        return lines.map { PrintableText.line($0) + "\n" }.joined()
    }

    private static func photos(_ leaving: PutOutPlan.Leaving) -> [String] {
        var lines: [String] = []
        if leaving.photos > 0 {
            let verb = leaving.photos == 1 ? "stays" : "stay"
            lines.append("  \(Phrases.count(leaving.photos, "photo")) of \(quoted(leaving.laptop)) \(verb).")
        }
        if leaving.alone.photos > 0 {
            let amount = "\(Phrases.count(leaving.alone.photos, "photo")), \(Phrases.size(leaving.alone.bytes))"
            lines.append("  Known to be on it alone: \(amount). Out, it can give them to nobody: wait for them first.")
        }
        return lines
    }

    static func done(_ plan: PutOutPlan) -> String {
        let names = Phrases.list(plan.out.map { quoted($0.laptop) })
        let verb = plan.out.count == 1 ? "is" : "are"
        return PrintableText.line("\(names) \(verb) out. `potluck guests on` opens a door for guests anew.") + "\n"
    }

    private static func quoted(_ laptop: PutOutPlan.Laptop) -> String { "“\(laptop.name)”" }

    private static func described(_ laptop: PutOutPlan.Laptop) -> String {
        "\(quoted(laptop)) (\(laptop.id.prefix(8)))"
    }
}
