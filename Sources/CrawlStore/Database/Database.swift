import CSQLite

/// One connection to the database, with the statements that it has prepared so far.
///
/// Not Sendable: belongs to the thread that opened it, and closes the file with its last reference.
final class Database {
    let connection: Connection
    let file: DatabaseFile
    private var statements: [String: Statement] = [:]

    init(_ file: DatabaseFile, immutable: Bool = false) throws {
        self.file = file
        self.connection = try Connection(file, immutable: immutable)
    }

    /// The file as the user named it.
    var path: String { file.path }

    /// Whether a transaction is open.
    var isInTransaction: Bool { sqlite3_get_autocommit(connection.handle) == 0 }

    /// The rows that the last statement inserted, updated or deleted.
    var changes: Int { Int(sqlite3_changes64(connection.handle)) }

    /// The row that the last insert made.
    var lastInsertedRow: Int64 { sqlite3_last_insert_rowid(connection.handle) }

    /// Runs any number of statements without arguments and without results.
    func execute(_ sql: String) throws {
        let code = sqlite3_exec(connection.handle, sql, nil, nil, nil)
        guard code == SQLITE_OK else { throw connection.error(code, sql: sql) }
    }

    /// Runs one statement to its end.
    func run(_ sql: String, _ values: SQLValue...) throws {
        let statement = try statement(sql)
        defer { finish(statement) }
        try statement.bind(values)
        while try statement.step() {}
    }

    /// Reads all rows of a query.
    func rows<Row>(_ sql: String, _ values: SQLValue..., row: (Statement) throws -> Row) throws -> [Row] {
        let statement = try statement(sql)
        defer { finish(statement) }
        try statement.bind(values)
        var rows: [Row] = []
        while try statement.step() { rows.append(try row(statement)) }
        return rows
    }

    /// Reads the integer of a query with one row and one column, nil for no row and for NULL.
    func integer(_ sql: String, _ values: SQLValue...) throws -> Int64? {
        let statement = try statement(sql)
        defer { finish(statement) }
        try statement.bind(values)
        return try statement.step() ? statement.optionalInteger(0) : nil
    }

    /// Runs `body` in a transaction that is durable when this returns and undone when this throws.
    ///
    /// The write lock is taken at the beginning, so that nothing in `body` can fail for want of it.
    func transaction<Value>(_ body: () throws -> Value) throws -> Value {
        precondition(!isInTransaction, "Transactions do not nest")
        do {
            try run("BEGIN IMMEDIATE")
            KillPoint.transactionBegun.pass()
            let value = try body()
            KillPoint.beforeCommit.pass()
            try run("COMMIT")
            KillPoint.afterCommit.pass()
            return value
        } catch {
            rollBack()
            throw error
        }
    }

    /// Undoes the open transaction; SQLite has done so itself after some errors.
    func rollBack() {
        if isInTransaction { try? run("ROLLBACK") }
    }

    /// Reads in `body` from one state of the database, whatever is written meanwhile.
    func snapshot<Value>(_ body: () throws -> Value) throws -> Value {
        try run("BEGIN")
        defer { rollBack() }
        return try body()
    }

    /// The statement for `sql`, prepared at its first use.
    private func statement(_ sql: String) throws -> Statement {
        if let statement = statements[sql] { return statement }
        let statement = try Statement(sql, on: connection)
        statements[sql] = statement
        return statement
    }

    private func finish(_ statement: Statement) {
        statement.reset()
        statement.clearBindings()
    }
}
