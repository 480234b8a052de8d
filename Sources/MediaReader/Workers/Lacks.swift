import CSandbox

/// What a machine lacks for reading media, in sentences.
enum Lacks {
    static func sentences(_ settings: MediaReaderSettings) -> [String] {
        var sentences: [String] = []
        if settings.worker == nil {
            sentences.append(
                "There is no potluck-media-worker beside this program: photos get no dates, cameras and thumbnails. "
                    + "Install Potluck whole, or build that product too.")
        }
        if settings.exifTool == nil {
            sentences.append(
                "ExifTool is missing: films and RAW files get no dates, places and previews. Install it (in Debian: "
                    + "libimage-exiftool-perl) and start Potluck again.")
        }
        if settings.ffmpeg == nil {
            sentences.append(
                "FFmpeg is missing: films get no picture, and play only in browsers that know their format. Install it "
                    + "(in Debian: ffmpeg) and start Potluck again.")
        }
        if csandbox_landlock_version() == 0 {
            sentences.append(
                "This kernel has no Landlock: a hostile film or RAW file that breaks into the program reading it could "
                    + "read this user's files, though neither change nor send them. And films play only in browsers that "
                    + "know their format. A kernel from 5.13 on has it.")
        }
        if csandbox_has_call_filter() == 0 {
            sentences.append(
                "This kernel filters no system calls for this processor: a hostile file that breaks into the program "
                    + "reading it could reach the network.")
        }
        return sentences
    }
}
