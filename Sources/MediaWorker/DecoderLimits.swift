/// What bounds one decoder. The agent says the first four on the command line; they stand with all others of its in
/// MediaReader's limits.
struct DecoderLimits {
    /// That the process can fill.
    var memoryByteCount: UInt64
    /// Of processor time for one file.
    var processorSeconds: UInt32
    /// Of a picture as stored: width times height.
    var pixelCountMax: UInt64
    /// Whether readings go first.
    var isIdle: Bool
    /// The longest block of metadata that is looked into.
    var blockByteCountMax = 1 << 20
    /// The longest file that is copied to be repaired.
    var copyByteCountMax = 64 << 20
    /// The file at hand and a copy of it, the socket, the standard three, and one to spare for each.
    var descriptorCountMax: UInt64 = 16
}
