import OutputFormats
import PotluckAPI

/// The agent's figures as Prometheus collects them: numbers, and labels of which this program knows every value.
extension FiguresReport {
    var families: [MetricFamily] { program + others + content + transfers + folder }

    private var program: [MetricFamily] {
        [
            MetricFamily(
                "potluck_build_info", .gauge, "Always 1; the label has the version.",
                [.init(.count(1), .init("version", version))]),
            MetricFamily(
                "potluck_uptime_seconds", .gauge, "Since the agent's start.", [.init(.number(uptimeSeconds))]),
            MetricFamily(
                "potluck_problem", .gauge, "Whether something is wrong that a person should see to, by kind.",
                health.kinds.map { kind in
                    .init(.flag(health.problems.contains { $0.kind == kind }), .init("kind", kind))
                }),
        ]
    }

    private var others: [MetricFamily] {
        [
            gauge("potluck_devices_connected", "Other laptops that are connected.", .count(status.connected)),
            gauge("potluck_devices_known", "Other laptops that are known.", .count(knownDevices)),
        ]
    }

    private var content: [MetricFamily] {
        let missing = StatusReport.Amount(photos: status.missing.photos, bytes: status.missing.bytes)
        return [gauge("potluck_albums", "Albums.", .count(albums))]
            + amount("", photos, "different photos in albums")
            + amount("_held", held, "photos that are whole on this laptop")
            + amount("_missing", missing, "photos that are still to come")
            + amount("_at_risk", status.atRisk, "photos that are known to be on this laptop alone")
            + amount("_left_out", status.leftOut, "photos that the policy of their album leaves out")
            + amount("_trash", trash, "photos in the trash")
            + [
                gauge(
                    "potluck_photos_unreachable", "Missing photos that no connected laptop has.",
                    .count(status.missing.unreachable ?? 0)),
                gauge(
                    "potluck_photos_held_up", "Missing photos that a pause or a full disk keeps from coming.",
                    .count(status.missing.heldUp ?? 0)),
                MetricFamily(
                    "potluck_batches_total", .counter, "Batches of changes written to the journal.",
                    [.init(.count(batches))]),
            ]
    }

    private var transfers: [MetricFamily] {
        [
            MetricFamily(
                "potluck_received_bytes_total", .counter, "Bytes that came from other laptops.",
                [.init(.count(traffic.received))]),
            MetricFamily(
                "potluck_sent_bytes_total", .counter, "Bytes that left to other laptops.",
                [.init(.count(traffic.sent))]),
            gauge("potluck_wants", "Photos that are wanted of other laptops.", .count(pulling.wanted)),
            gauge("potluck_wants_active", "Photos that are pulled now.", .count(pulling.active)),
            gauge(
                "potluck_requested_bytes", "Bytes that were asked for and have not arrived.",
                .count(pulling.requestedBytes)),
            gauge("potluck_paused", "1 while no originals come because of a pause.", .flag(status.paused == true)),
        ]
    }

    private var folder: [MetricFamily] {
        var families = amount("_incoming", status.incoming, "files in the folder that are not shared yet")
        if let incoming = status.incoming {
            families.append(
                gauge(
                    "potluck_photos_incoming_unmeasured",
                    "Number of files in the folder that are not shared yet whose size is not known yet, so that it does not count.",
                    .count(incoming.unmeasured ?? 0)))
        }
        families += [
            gauge("potluck_files_skipped", "Files in the folder that are not shared.", .count(skippedFiles)),
            gauge(
                "potluck_files_awaiting_decision", "Files that vanished or changed and wait for a person's word.",
                .count((status.held?.vanished ?? 0) + (status.held?.rewritten ?? 0))),
        ]
        if let disk = status.disk {
            families += [
                gauge("potluck_disk_free_bytes", "Free bytes of the home's disk.", .count(disk.free)),
                gauge("potluck_disk_reserve_bytes", "Bytes that are kept free of originals.", .count(disk.reserve)),
            ]
        }
        return families
    }

    private func gauge(_ name: String, _ help: String, _ value: MetricValue) -> MetricFamily {
        MetricFamily(name, .gauge, help, [.init(value)])
    }

    /// Two families: how many, and of how many bytes; none where it is not known.
    private func amount(_ suffix: String, _ amount: StatusReport.Amount?, _ what: String) -> [MetricFamily] {
        guard let amount else { return [] }
        return [
            gauge("potluck_photos\(suffix)", "Number of \(what).", .count(amount.photos)),
            gauge("potluck_photos\(suffix)_bytes", "Bytes of \(what).", .count(amount.bytes)),
        ]
    }
}
