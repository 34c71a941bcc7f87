import CrawlKit
print(v())
