/// A camera as people call it.
enum CameraName {
    /// `Canon EOS R6`, `Apple iPhone 15`: makes are in many models already, and stand there once.
    static func text(make: String, model: String) -> String {
        let first = make.split(separator: " ").first.map { $0.lowercased() } ?? ""
        if model.isEmpty { return make }
        return first.isEmpty || model.lowercased().hasPrefix(first) ? model : "\(make) \(model)"
    }
}
