/// What an export looks like.
package enum ExportFormat: String, Sendable, CaseIterable {
    /// RFC 4180 with LF line ends; NULL is an empty field, an empty text is `""`.
    case csv
    /// Tab-separated; tab, line feed, carriage return and backslash are written `\t`, `\n`, `\r`, `\\`.
    case tsv
    /// A JSON array, one object a line.
    case json
    /// One JSON object a line.
    case ndjson
}

/// What is to be exported.
package struct Export: Sendable {
    /// The source's name.
    package var source: String
    /// What the output looks like.
    package var format: ExportFormat
    /// The columns, in this order; nil for all of the source's and `extra`.
    ///
    /// `page` comes only when it is named.
    package var columns: [String]?
    /// CSV for spreadsheets: a byte order mark, CRLF line ends, and an apostrophe before text that would be a formula.
    package var excel: Bool

    package init(source: String, format: ExportFormat = .csv, columns: [String]? = nil, excel: Bool = false) {
        self.source = source
        self.format = format
        self.columns = columns
        self.excel = excel
    }
}

/// Where an export goes.
package enum ExportDestination: Sendable {
    /// A file that appears whole or not at all; its folder is made where it is missing.
    case file(String)
    /// An open descriptor, which stays open. SIGPIPE must be ignored for a closed pipe to be reported.
    case descriptor(Int32)
}

/// What an export wrote.
package struct ExportResult: Sendable, Equatable {
    /// Records, the header not counted.
    package var rows: Int
    /// Bytes.
    package var bytes: Int
    /// The names of the columns, in order.
    package var columns: [String]
}
