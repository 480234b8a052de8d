import AlbumModel

/// How FFmpeg is asked for a picture.
enum FFmpeg {
    /// Films as cameras, phones and browsers make them, and the still pictures that libvips cannot read or not always.
    /// No lists of other files, which FFmpeg would follow.
    private static let formats =
        "mov,matroska,avi,mpegts,mpeg,mpegvideo,asf,flv,ogg,mxf,dv,jpegxl_pipe,bmp_pipe,image2,webp_pipe"
    /// The longest side of the frame that it hands out, in pixels.
    private static let side = 2048

    /// The words after the program's name: one frame as JPEG to standard output, turned as it is to be shown.
    ///
    /// - Parameter seconds: into the film.
    static func frame(of path: String, at seconds: Double) -> [String] {
        [
            "-nostdin", "-v", "quiet", "-threads", "1", "-protocol_whitelist", "file", "-format_whitelist", formats,
            "-ss", "\(seconds)", "-i", "file:\(path)", "-map", "0:v:0", "-frames:v", "1", "-an", "-sn", "-dn", "-vf",
            "scale=w='min(\(side),iw)':h='min(\(side),ih)':force_original_aspect_ratio=decrease",
            "-map_metadata", "-1", "-threads", "1", "-pix_fmt", "yuvj420p", "-q:v", "2", "-c:v", "mjpeg", "-f",
            "image2pipe", "pipe:1",
        ]
    }

    /// What a picture of this size becomes in ``frame(of:at:)``.
    static func frameSize(of size: PixelSize) -> PixelSize {
        let longest = max(size.width, size.height)
        guard longest > UInt32(side) else { return size }
        func scaled(_ length: UInt32) -> UInt32 {
            UInt32((Double(length) * Double(side) / Double(longest)).rounded())
        }
        return PixelSize(width: scaled(size.width), height: scaled(size.height))
    }

    /// Whether a frame's size shows that it was turned as the picture asks for.
    ///
    /// - Parameter rotation: ``MetadataKey/rotation``.
    static func tellsTurning(by rotation: String?, of size: PixelSize) -> Bool {
        switch rotation {
        case nil, "0": true
        case "90", "270": size.width != size.height
        default: false
        }
    }

    /// Films often begin black, or with a shake: a second into it, or a third of a short one.
    static func posterTime(durationMilliseconds: UInt64?) -> Double {
        guard let durationMilliseconds else { return 0 }
        return min(1, Double(durationMilliseconds) / 3000)
    }
}
