extension Unicode.Scalar {
    /// Whether the character shows nothing itself: controls (a terminal obeys some), marks of direction, which reverse
    /// how text reads, line separators, and fillers and tags, in which text can hide.
    public var isInvisible: Bool {
        if value < 0x7F { return value < 0x20 }
        switch properties.generalCategory {
        case .control, .format, .lineSeparator, .paragraphSeparator: return true
        default: return properties.isDefaultIgnorableCodePoint
        }
    }

    /// Whether spelling needs the invisible character: joiners, for emoji and several scripts, and variation selectors.
    public var isPartOfSpelling: Bool {
        value == 0x200C || value == 0x200D || properties.isVariationSelector
    }

    /// Whether a terminal or a log may do something else with the character than show it: an invisible one, or one to
    /// which this version of Unicode gives no meaning.
    public var isUnsafeToShow: Bool {
        if value < 0x7F { return value < 0x20 }
        switch properties.generalCategory {
        case .privateUse, .unassigned, .surrogate: return true
        default: return isInvisible
        }
    }
}
