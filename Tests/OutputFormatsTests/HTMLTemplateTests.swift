import OutputFormats
import Testing

/// Pages with places: what people write stays text.
@Suite struct HTMLTemplateTests {
    /// Shows the comment's end, both kinds of places, and that text cannot leave its quotes or bring a place of its own.
    @Test func placesAreFilled() throws {
        let page = "<!--\nA page. Places: {{name}}\n-->\n<p title=\"{{name}}\">{{{body}}}</p> {{name}}\n"
        let template = try HTMLTemplate(name: "a", page, texts: ["name"], markup: ["body"])
        #expect(template.places == ["name", "body"])
        let body = HTMLMarkup(escaping: "<b>") + HTMLMarkup(escaping: "{{name}}")
        let filled = template.fill(["name": #""><script>{{{body}}}"#], markup: ["body": body])
        #expect(
            filled.text == """
                <p title="&quot;&gt;&lt;script&gt;{{{body}}}">&lt;b&gt;{{name}}</p> &quot;&gt;&lt;script&gt;{{{body}}}

                """)
    }

    /// Shows that marks of direction and controls do not reach a page.
    @Test func textIsShownAsItIs() throws {
        let template = try HTMLTemplate(name: "a", "{{name}}", texts: ["name"])
        #expect(template.fill(["name": "a\u{202E}gpj.exe\u{0}"]).text == "a\u{FFFD}gpj.exe\u{FFFD}")
    }

    /// Shows that a template with a place for which nothing will come is refused at once.
    @Test(
        arguments: [
            ("{{unknown}}", "nothing is known of the place {{unknown}}"),
            ("{{{name}}}", "nothing is known of the place {{{name}}}"),
            ("{{body}}", "nothing is known of the place {{body}}"),
            ("<p>{{name</p>", "a place does not end"),
            ("{{ name }}", "nothing is known of the place {{ name }}"),
        ])
    func unknownPlacesAreErrors(_ page: String, _ reason: String) {
        #expect(throws: HTMLTemplateError(description: "album.html: \(reason)")) {
            try HTMLTemplate(name: "album.html", page, texts: ["name"], markup: ["body"])
        }
    }
}
