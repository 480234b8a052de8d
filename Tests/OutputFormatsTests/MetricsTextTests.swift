import Glibc
import OutputFormats
import Testing

/// The text that Prometheus reads.
@Suite struct MetricsTextTests {
    /// Shows the lines of a family, in the order in which they were given, each with its end.
    @Test func familiesHaveTheirLines() {
        let families = [
            MetricFamily("potluck_photos", .gauge, "Photos.", [.init(.count(12))]),
            MetricFamily(
                "potluck_requests_total", .counter, "Requests.",
                [.init(.count(3), .init("class", "2xx")), .init(.count(0), .init("class", "5xx"), .init("door", "a"))]),
            MetricFamily("empty", .gauge, "None.", []),
        ]
        #expect(
            MetricsText.text(of: families) == """
                # HELP potluck_photos Photos.
                # TYPE potluck_photos gauge
                potluck_photos 12
                # HELP potluck_requests_total Requests.
                # TYPE potluck_requests_total counter
                potluck_requests_total{class="2xx"} 3
                potluck_requests_total{class="5xx",door="a"} 0
                # HELP empty None.
                # TYPE empty gauge

                """)
        #expect(MetricsText.text(of: []) == "")
    }

    /// Shows that no text can end its line or its quotation marks: helps escape backslashes and line feeds, values
    /// quotation marks too; everything else stays as it is.
    @Test func textsAreEscaped() {
        let odd = "a\\b\"c\nd\te ü"
        let family = MetricFamily("m", .gauge, odd, [.init(.count(1), .init("l", odd))])
        #expect(
            MetricsText.text(of: [family])
                == "# HELP m a\\\\b\"c\\nd\te ü\n# TYPE m gauge\nm{l=\"a\\\\b\\\"c\\nd\te ü\"} 1\n")
        // A line feed within a character of two scalars is one, too.
        let joined = MetricFamily("m", .gauge, "a\r\nb", [])
        #expect(MetricsText.text(of: [joined]) == "# HELP m a\r\\nb\n# TYPE m gauge\n")
    }

    /// Shows numbers as Go's parser takes them: all digits of counts, and the names of what is no number.
    @Test(arguments: [
        (MetricValue.count(UInt64.max), "18446744073709551615"), (.count(-5), "0"), (.flag(true), "1"),
        (.flag(false), "0"), (.number(1.5), "1.5"), (.number(-0.25), "-0.25"), (.number(.nan), "NaN"),
        (.number(.infinity), "+Inf"), (.number(-.infinity), "-Inf"), (.number(1e300), "1e+300"),
    ])
    func numbersAreRead(value: MetricValue, text: String) {
        let family = MetricFamily("m", .gauge, "", [.init(value)])
        #expect(MetricsText.text(of: [family]).hasSuffix("\nm \(text)\n"))
    }

    /// Shows that a name that the format forbids, or one given twice, ends the program: no reader could tell.
    @Test func wrongNamesAreMistakes() async {
        await #expect(processExitsWith: .failure) {
            trapWithoutBacktrace()
            _ = MetricsText.text(of: [MetricFamily("9m", .gauge, "", [])])
        }
        await #expect(processExitsWith: .failure) {
            trapWithoutBacktrace()
            _ = MetricsText.text(of: [MetricFamily("m", .gauge, "", [.init(.count(1), .init("__l", "a"))])])
        }
        await #expect(processExitsWith: .failure) {
            trapWithoutBacktrace()
            _ = MetricsText.text(of: [MetricFamily("m", .gauge, "", []), MetricFamily("m", .gauge, "", [])])
        }
    }
}

/// Leaves traps to the system. The backtrace of a program as large as the tests takes seconds.
private func trapWithoutBacktrace() {
    for number in [SIGILL, SIGTRAP] { signal(number, SIG_DFL) }
}
