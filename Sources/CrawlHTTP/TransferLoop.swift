import CCurl
import Glibc

import CrawlCore

/// The thread that carries out all transfers of a client.
final class TransferLoop: @unchecked Sendable {
    // Unchecked: everything that changes is touched by the loop's thread alone.

    /// What other threads hand over.
    let inbox = TransferInbox()

    private let settings: EasyHandle.Settings
    private let proxies: ProxySettings
    private let redirects: RedirectPolicy
    private let stallWindow: Duration

    private var multi: UnsafeMutableRawPointer?
    private var share: UnsafeMutableRawPointer?
    private var active: [UnsafeMutableRawPointer: EasyHandle] = [:]
    private var idle: [EasyHandle] = []
    private var nextStallCheck = ContinuousClock.now
    private let budget: BodyBudget
    /// The answers that wait for memory, the one that waited longest first.
    private var paused: [EasyHandle] = []

    /// An answer that has begun is given up where fewer bytes a second come, over the length of the stall window.
    private static let slowestBytesPerSecond = 10.0
    private static let mostIdleHandles = 64
    private static let mostIdleConnections = 128

    init(settings: EasyHandle.Settings, proxies: ProxySettings, redirects: RedirectPolicy, stallWindow: Duration) {
        self.settings = settings
        self.proxies = proxies
        self.redirects = redirects
        self.stallWindow = stallWindow
        budget = BodyBudget { [inbox] in inbox.noteFreedMemory() }
    }

    /// Starts the thread, which keeps the loop alive until its inbox is closed.
    func launch() {
        var thread = pthread_t()
        let retained = Unmanaged.passRetained(self)
        let result = pthread_create(
            &thread, nil,
            { context in
                guard let context else { return nil }
                Unmanaged<TransferLoop>.fromOpaque(context).takeRetainedValue().run()
                return nil
            }, retained.toOpaque())
        guard result == 0 else {
            retained.release()
            return end()
        }
        pthread_detach(thread)
    }

    private static let isLibraryReady = curl_global_init(Int(CURL_GLOBAL_DEFAULT)) == CURLE_OK
    private static let cancelled = FetchFailure.network(.cancelled, detail: "the request was cancelled")

    private func run() {
        defer { end() }
        guard Self.isLibraryReady, let multi = curl_multi_init() else { return }
        self.multi = multi
        crawl_curl_multi_set_long(multi, CURLMOPT_MAXCONNECTS, Self.mostIdleConnections)
        share = curl_share_init()
        if let share { crawl_curl_share_tls_sessions(share) }
        inbox.open(multi)
        while takeInbox() {
            var running: Int32 = 0
            curl_multi_perform(multi, &running)
            notePaused()
            collectFinished()
            checkStalls()
            if inbox.fallAsleep() { curl_multi_poll(multi, nil, 0, active.isEmpty ? 60_000 : 500, nil) }
        }
    }

    /// Begins and ends what was handed over; false once the loop has to end.
    private func takeInbox() -> Bool {
        let content = inbox.take()
        if content.isClosing {
            for start in content.starts { start.continuation.resume(returning: .failure(TransferInbox.closed)) }
            return false
        }
        for start in content.starts {
            start.transfer.continuation = start.continuation
            begin(start.transfer)
        }
        for transfer in content.cancels {
            transfer.isCancelled = true
            finish(transfer, .failure(Self.cancelled))
        }
        if content.hasFreedMemory { resumePaused() }
        return true
    }

    /// Puts the answers that have begun to wait for memory into the line.
    private func notePaused() {
        for handle in active.values where handle.isPaused && !paused.contains(where: { $0 === handle }) {
            paused.append(handle)
            handle.giveUpTimeout()
            handle.transfer?.note(isPaused: true)
        }
    }

    /// Lets the answers that wait for memory try again, in the order in which they came.
    private func resumePaused() {
        let waiting = paused
        paused = []
        for handle in waiting where handle.isPaused {
            handle.resume()
            if handle.isPaused {
                paused.append(handle)
            } else {
                handle.transfer?.note(isPaused: false)
            }
        }
    }

    private func begin(_ transfer: Transfer) {
        // The cancellation may have come first.
        guard !transfer.isCancelled else { return transfer.finish(.failure(Self.cancelled)) }
        guard let url = HTTPURL(transfer.request.url) else {
            return transfer.finish(.failure(.network(.badURL, detail: "the address is no http or https URL")))
        }
        guard let handle = idle.popLast() ?? EasyHandle(settings: settings, share: share, budget: budget) else {
            return transfer.finish(.failure(.network(.other, detail: "no memory for a request to \(url.authority)")))
        }
        transfer.handle = handle
        ask(url, with: handle, for: transfer, mustBePublic: false)
    }

    private func ask(_ url: HTTPURL, with handle: EasyHandle, for transfer: Transfer, mustBePublic: Bool) {
        handle.prepare(transfer, url: url, proxy: proxies.proxy(for: url), mustBePublic: mustBePublic)
        transfer.stallWindow = nil
        active[handle.easy] = handle
        guard curl_multi_add_handle(multi, handle.easy) == CURLM_OK else {
            return finish(transfer, .failure(.network(.other, detail: "no request to \(url.authority) can be made")))
        }
    }

    private func collectFinished() {
        var left: Int32 = 0
        while let message = curl_multi_info_read(multi, &left) {
            guard message.pointee.msg == CURLMSG_DONE, let handle = active[message.pointee.easy_handle],
                let transfer = handle.transfer
            else { continue }
            complete(transfer, with: handle, result: crawl_curl_message_result(message))
        }
    }

    private func complete(_ transfer: Transfer, with handle: EasyHandle, result: CURLcode) {
        guard result == CURLE_OK, let url = handle.url, let answer = handle.answer else {
            return finish(transfer, .failure(handle.failure(result)))
        }
        do throws(FetchFailure) {
            let status = handle.status
            if RedirectPolicy.isRedirect(status: status), let location = answer.headers["Location"] {
                let step = try redirects.follow(
                    location, from: url, connectedAddress: handle.connectedAddress, followed: transfer.redirects)
                guard transfer.remaining > .zero else { throw handle.failure(CURLE_OPERATION_TIMEDOUT) }
                transfer.redirects += 1
                if !step.keepsSecrets { transfer.dropSecrets() }
                curl_multi_remove_handle(multi, handle.easy)
                return ask(step.url, with: handle, for: transfer, mustBePublic: step.mustBePublic)
            }
            let response = HTTPResponse(
                status: status, headers: answer.headers, body: try answer.finish(), wireBytes: answer.wireBytes,
                finalURL: url.text, seconds: transfer.started.duration(to: .now) / .seconds(1))
            finish(transfer, .success(response))
        } catch {
            finish(transfer, .failure(error))
        }
    }

    /// Takes the transfer off its handle and tells the waiting task.
    private func finish(_ transfer: Transfer, _ outcome: Transfer.Outcome) {
        if let handle = transfer.handle {
            curl_multi_remove_handle(multi, handle.easy)
            active[handle.easy] = nil
            paused.removeAll { $0 === handle }
            handle.clear()
            if idle.count < Self.mostIdleHandles { idle.append(handle) }
        }
        transfer.finish(outcome)
    }

    /// Gives up answers whose body has begun and that come too slowly to be meant.
    ///
    /// libcurl's own low-speed time-out would also end requests that a server takes long to think about.
    private func checkStalls() {
        let now = ContinuousClock.now
        guard now >= nextStallCheck else { return }
        nextStallCheck = now + .milliseconds(250)
        for handle in active.values {
            guard let transfer = handle.transfer, transfer.pausedSince == nil else { continue }
            if transfer.wasPaused, transfer.remaining <= .zero {
                finish(transfer, .failure(handle.failure(CURLE_OPERATION_TIMEDOUT)))
                continue
            }
            guard let bytes = handle.answer?.wireBytes, bytes > 0 else { continue }
            guard let window = transfer.stallWindow else {
                transfer.stallWindow = (now, bytes)
                continue
            }
            let length = window.began.duration(to: now)
            guard length >= stallWindow else { continue }
            if Double(bytes - window.bytes) < Self.slowestBytesPerSecond * (length / .seconds(1)) {
                let detail =
                    "\(handle.url?.authority ?? "") sent only \(bytes - window.bytes) bytes in the last "
                    + "\(length.components.seconds) s"
                finish(transfer, .failure(.network(.timedOut, detail: detail)))
            } else {
                transfer.stallWindow = (now, bytes)
            }
        }
    }

    /// Lets go of everything; nothing can be handed over afterwards.
    private func end() {
        inbox.end()
        for handle in Array(active.values) {
            if let transfer = handle.transfer { finish(transfer, .failure(TransferInbox.closed)) }
        }
        // In this order: a handle refers to the multi handle that it is in, and both to the shared sessions.
        active = [:]
        idle = []
        paused = []
        if let multi { curl_multi_cleanup(multi) }
        if let share { curl_share_cleanup(share) }
        multi = nil
        share = nil
        inbox.announceEnd()
    }
}
