import AlbumModel
import CSandbox
import DiskIO
import Glibc

/// Makes a copy of a film that all browsers play.
struct PlayableFilm: Sendable {
    let file: MediaFile
    let path: String
    let settings: MediaReaderSettings
    let pool: WorkerPool
    let progress: @Sendable (Double) -> Void

    /// More make a film of this size no faster, and take memory each.
    private static let threadCountMax = 4

    private struct Programs {
        var ffmpeg: String
        var ffprobe: String
    }

    func make() async throws {
        guard let ffmpeg = settings.ffmpeg, let ffprobe = settings.ffprobe else {
            throw MediaError(.impossible, "Films are not prepared for playing here: FFmpeg is missing. Install it.")
        }
        guard csandbox_landlock_version() > 0 else {
            throw MediaError(.impossible, "Films are not prepared for playing here: this kernel has no Landlock.")
        }
        let programs = Programs(ffmpeg: ffmpeg, ffprobe: ffprobe)
        let stop = StopSwitch()
        try await withTaskCancellationHandler {
            do {
                try await pool.perform(.ordinary) { slot in try make(slot, programs, stop) }
            } catch {
                // What a cancellation killed is no fault of the film's.
                try Task.checkCancellation()
                throw error
            }
        } onCancel: {
            stop.stop()
        }
    }

    private func make(_ slot: Slot, _ programs: Programs, _ stop: StopSwitch) throws {
        let opened = try Descriptor.file(file.path)
        let output = try Descriptor.newFile(path)
        do {
            let probe = try probe(opened, slot, programs)
            try convert(opened, output, probe, slot, programs, stop)
            guard FilmCheck.isPlain(output) else { throw WorkerFailure.lie }
            progress(1)
        } catch {
            // The first error says why.
            try? Disk.remove(path)
            throw error
        }
    }

    private func probe(_ opened: Descriptor, _ slot: Slot, _ programs: Programs) throws -> FilmProbe {
        let byteCountMax = settings.limits.answerByteCountMax
        var tool = ToolCall.ffmpeg(
            programs.ffprobe, FilmProbe.words(path: WorkerCommand.handedFile), written: byteCountMax, settings.limits)
        tool.refusal = "FFmpeg finds no film in it"
        return FilmProbe(answer: try slot.run(tool, on: opened).contents(byteCountMax: byteCountMax))
    }

    private func convert(
        _ opened: Descriptor, _ output: Descriptor, _ probe: FilmProbe, _ slot: Slot, _ programs: Programs,
        _ stop: StopSwitch
    ) throws {
        guard let video = probe.video else { throw WorkerFailure.refused("FFmpeg finds no film in it") }
        let threadCount = min(max(1, sysconf(Int32(_SC_NPROCESSORS_ONLN))), Self.threadCountMax)
        guard let plan = FilmPlan(seconds: probe.seconds, threadCount: threadCount, settings.limits) else {
            throw MediaError(.unreadable, "It is too long to be prepared for playing. The original can be downloaded.")
        }
        let words = FilmWords.conversion(
            probe, video: video, plan, threadCount: threadCount, from: WorkerCommand.handedFile,
            to: WorkerCommand.outputFile)
        let tool = ToolCall(
            words: [programs.ffmpeg] + words, memory: settings.limits.ffmpegMemory,
            written: settings.limits.playableByteCountMax, timeout: plan.timeout,
            processorSeconds: plan.processorSeconds, refusal: "FFmpeg cannot convert it")
        var reached = FilmProgress(seconds: probe.seconds)
        try slot.run(tool, on: opened, outputFile: output, stop: stop) { bytes in
            // All of it stands there only once it has been put in order.
            if let share = reached.advance(bytes) { progress(min(share, 0.99)) }
        }
    }
}
