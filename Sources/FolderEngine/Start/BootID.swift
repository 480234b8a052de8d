/// Names the time between two starts of the machine.
///
/// What a program wrote is seen by all until the machine stops, however the program ended; after a power cut what no
/// sync made durable may be gone.
package struct BootID: Hashable, Sendable {
    package let bytes: [UInt8]

    package init(bytes: [UInt8]) {
        self.bytes = bytes
    }
}
