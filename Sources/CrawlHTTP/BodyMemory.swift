import CrawlCore
import Glibc

/// Memory for bodies, given back for the next body instead of to the system.
///
/// A page of 90 KB lies beyond what malloc keeps: mapping, clearing and unmapping its memory costs more than receiving
/// it.
enum BodyMemory {
    /// A piece of memory from malloc.
    struct Block: @unchecked Sendable {
        // Unchecked: a block belongs to the pool or to one body, never to both.
        var start: UnsafeMutableRawPointer
        var capacity: Int
    }

    /// Blocks that are kept: from `smallest` to `largest` bytes, `mostBlocks` of them.
    private static let smallest = 16 << 10
    private static let largest = 1 << 20
    private static let mostBlocks = 12

    private static let kept = Locked<[Block]>([])

    /// A block of at least `bytes`, its content undefined; nil where there is no memory.
    static func take(_ bytes: Int) -> Block? {
        if bytes >= smallest, bytes <= largest {
            let block = kept.withLock { kept -> Block? in
                guard let index = kept.lastIndex(where: { $0.capacity >= bytes }) else { return nil }
                return kept.remove(at: index)
            }
            if let block { return block }
        }
        return malloc(bytes).map { Block(start: $0, capacity: bytes) }
    }

    /// The block with more room, its content kept; nil, and the block as it was, where there is no memory.
    static func grow(_ block: Block, to bytes: Int) -> Block? {
        realloc(block.start, bytes).map { Block(start: $0, capacity: bytes) }
    }

    /// Takes back a block that nothing points to any more.
    static func giveBack(_ block: Block) {
        let surplus = kept.withLock { kept -> Block? in
            guard block.capacity >= smallest, block.capacity <= largest else { return block }
            kept.append(block)
            // The one that lay longest goes, so that sizes which are not asked for any more do not stay.
            return kept.count > mostBlocks ? kept.removeFirst() : nil
        }
        if let surplus { free(surplus.start) }
    }
}
