/// What bounds the messages between agent and worker. The agent holds a worker's to it, whatever it sends.
public enum WorkerLimits {
    public static let tagCountMax = 256
    public static let tagNameByteCountMax = 64
    public static let tagValueByteCountMax = 1024
    public static let problemByteCountMax = 256
    /// Of an encoded picture. A JPEG of 2048 × 2048 pixels has about 1 MiB; noise at quality 80 has four times that.
    public static let pictureByteCountMax = 8 << 20
    /// The longest side of a picture that can be asked for, in pixels.
    public static let sideMax = 8192

    /// All tags and the problem at their longest, with the lengths before them, and what else is of fixed length.
    public static let reportByteCountMax =
        tagCountMax * (tagNameByteCountMax + tagValueByteCountMax + 4) + problemByteCountMax + pictureByteCountMax + 64
}
