/// How phones, messengers and computers write dates into file names.
struct NamePattern {
    enum Clock {
        /// What the phone's clock showed.
        case local
        case utc
    }

    /// What the name begins with, in lower case; empty for a date that may stand anywhere.
    var beginning = ""
    /// The date. `YMDhms` stand for a digit each, `-` for one of the marks between them, `~` for a word between blanks,
    /// such as the " at " of an English Mac; anything else for itself.
    var date: String
    /// What follows the date, in lower case.
    var then = ""
    /// What the name without its extension ends in, in lower case.
    var ending = ""
    var clock = Clock.local

    /// The first one that fits says when; those that say more about themselves stand first.
    static let all: [NamePattern] = [
        // Google's camera app, and OneDrive's upload from iPhones.
        NamePattern(beginning: "pxl_", date: "YYYYMMDD-hhmmss", clock: .utc),
        NamePattern(date: "YYYYMMDD-hhmmss", ending: "_ios", clock: .utc),
        // Screen recordings of an iPhone; exports of Telegram's desktop app (photo_1@02-01-2023_10-11-12).
        NamePattern(beginning: "screenrecording_", date: "MM-DD-YYYY-hh-mm-ss"),
        NamePattern(date: "@DD-MM-YYYY-hh-mm-ss"),
        // IMG_20230102_101112, VID_…, MVIMG_…, PANO_…, 20230102_101112(0), Screenshot_20230102-101112_App,
        // DJI_20230102101112_0001_D, IMG20230102101112, WIN_20230102_10_11_12_Pro.
        NamePattern(date: "YYYYMMDD-hhmmss"),
        NamePattern(date: "YYYYMMDDhhmmss"),
        NamePattern(date: "YYYYMMDDThhmmss"),
        NamePattern(date: "YYYYMMDD-hh-mm-ss"),
        // 2023-01-02 10.11.12 (Dropbox), photo_2023-01-02_10-11-12 (Telegram), Screenshot_2023-01-02-10-11-12-123_app,
        // Screenshot from 2023-01-02 10-11-12 (GNOME), signal-2023-01-02-101112, Screenshot 2023-01-02 101112
        // (Windows).
        NamePattern(date: "YYYY-MM-DD-hh-mm-ss"),
        NamePattern(date: "YYYY-MM-DD-hhmmss"),
        NamePattern(date: "YYYY-MM-DDThh-mm-ss"),
        // WhatsApp Image 2023-01-02 at 10.11.12, Screen Shot 2023-01-02 at 10.11.12 AM, Bildschirmfoto … um …
        NamePattern(date: "YYYY-MM-DD~hh-mm-ss"),
        // The day alone: WhatsApp's and Windows Phone's.
        NamePattern(beginning: "img-", date: "YYYYMMDD", then: "-wa"),
        NamePattern(beginning: "vid-", date: "YYYYMMDD", then: "-wa"),
        NamePattern(beginning: "wp_", date: "YYYYMMDD", then: "_"),
    ]

    /// Names that give the seconds, or milliseconds, since 1970: Facebook's, WeChat's, an iPhone's screen recordings.
    static let instants: [(beginning: String, digitCount: Int)] = [
        ("fb_img_", 13), ("mmexport", 13), ("wx_camera_", 13), ("img_", 13), ("rpreplay_final", 10),
    ]
}
