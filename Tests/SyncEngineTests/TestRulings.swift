import AlbumModel
import WireFormat

@testable import SyncEngine

/// Rulings of a gathering that laptop 1 founded, signed by the keys of tests.
struct TestRulings {
    static let founder = TestSigning(1)
    static let recovery = TestSigning(255)

    let seed: Seed
    let founding: SignedStatement
    var id: RulingID { RulingID(content: founding.content) }

    /// - Parameter number: of gatherings, which differ by their seeds.
    init(_ number: UInt8 = 7) {
        seed = Seed(bytes: [UInt8](repeating: number, count: Seed.byteCount))!
        founding = Self.sign(
            .founding(Ruling.Founding(recoveryKey: Self.recovery.publicKey, commitment: seed.commitment)), after: [],
            by: Self.founder)
    }

    /// Knows the founding, with its seed.
    func book(limits: RulingLimits = RulingLimits()) -> RulingBook {
        RulingBook([founding], seeds: [id: seed], using: Self.founder, limits: limits)
    }

    /// - Parameter signer: whose key signs, if it is not the author's.
    static func sign(
        _ kind: Ruling.Kind, after: [RulingID], by author: TestSigning, signedBy signer: TestSigning? = nil
    ) -> SignedStatement {
        Ruling(authorKey: author.publicKey, after: after.sorted(), kind: kind).signed(using: signer ?? author)
    }

    func naming(_ host: TestSigning, by author: TestSigning = founder, after: RulingID? = nil) -> SignedStatement {
        Self.sign(.host(Self.device(host), goesOn: false), after: [after ?? id], by: author)
    }

    static func device(_ signing: TestSigning) -> DeviceID { BatchSignature.deviceID(publicKey: signing.publicKey) }
}

extension SignedStatement {
    var rulingID: RulingID { RulingID(content: content) }
}
