import DiskIO
import FolderEngine

extension CandidateBook.Observation.Writer {
    init(_ writer: Descriptor.Writer) {
        switch writer {
        case .none: self = .none
        case .open: self = .open
        case .unknown: self = .unknown
        }
    }
}
