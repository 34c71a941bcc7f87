import CrawlKit
