#compdef crawl

_crawl() {
    local context state state_descr line
    local -A opt_args
    local -i ret=1
    local -a specifications=(
        '--source=[The name of a built-in source, or the path of a source file.]:source:{_alternative "values\:value\:(users)" "files\:file\:_files"}'
        '--count=[How many distinct records shall be stored.]:count:'
        '*--endpoint=[Ask another address for a source; may be repeated.]:name=url:'
        '*--set=[Fill a {placeholder} of a source'\''s address, such as symbols=AAPL,SAP.DE; may be repeated.]:name=value:'
        '--offline[Use the built-in stand-in; its data are made up.]'
        '--live[Never use the stand-in, whatever happens to the public service.]'
        '--dry-run[Say what would be done; request and store nothing.]'
        '--page-size=[Records a request; auto is a tenth of the count within the source'\''s limit.]:n|auto:(auto)'
        '--concurrency=[Requests at the same time; auto finds what the server allows, up to 8.]:n|auto:(auto)'
        '--rate=[At most so many requests in a time, such as 5/s or 100/m.]:rate:'
        '--retries=[How often a failed request is repeated.]:retries:'
        '--timeout=[How long one request may take\: 30, 30s, 2m or 500ms.]:time:'
        '--max-wait=[The longest pause asked for by a server that is waited for.]:time:'
        '--db=[The database.]:path:_files'
        '--fresh[Replace the stored records of the source; the old ones go when the first page comes.]'
        '--refresh[Ask for whole sources again although the server promised no change.]'
        '--csv=[Export as CSV when done, - for standard output.]:file:_files'
        '--json[Print events on standard output, one JSON object a line, instead of text.]'
        '(-q --quiet)'{-q,--quiet}'[Print errors only.]'
        '(-v --verbose)'{-v,--verbose}'[Print a line for each request and retry.]'
        '--color=[Whether to use colour; NO_COLOR turns it off too.]:when:(auto always never)'
        '--version[Show the version.]'
        '(-h --help)'{-h,--help}'[Show help information.]'
        '(-): :->command'
        '(-)*:: :->arguments'
    )
    _arguments -w -s -S : "${specifications[@]}" && ret=0
    case "${state}" in
    command)
        local -a subcommands=(
            'resume:Go on with every unfinished crawl.'
            'load:Load whole sources together.'
            'watch:Keep whole sources fresh, and tell what has changed.'
            'list:Show the stored records of a source as a table.'
            'export:Write the stored records of a source to a file.'
            'status:Show what was crawled, and how to go on.'
            'verify:Check the ledger and the database.'
            'sources:List the built-in sources, or print a source file.'
            'probe:Write the source file of an API that is not known yet.'
            'mock-api:Serve made-up data as the public APIs do, for tests and demonstrations.'
            'help:Show subcommand help information.'
        )
        _describe -V subcommand subcommands && ret=0
        ;;
    arguments)
        case "${words[1]}" in
        resume|load|watch|list|export|status|verify|sources|probe|mock-api|help) "_crawl_${words[1]}" && ret=0 ;;
        esac
        ;;
    esac
    return "${ret}"
}

_crawl_resume() {
    local -a specifications=(
        '*--endpoint=[Ask another address for a source; may be repeated.]:name=url:'
        '*--set=[Fill a {placeholder} of a source'\''s address, such as symbols=AAPL,SAP.DE; may be repeated.]:name=value:'
        '--offline[Use the built-in stand-in; its data are made up.]'
        '--live[Never use the stand-in, whatever happens to the public service.]'
        '--dry-run[Say what would be done; request and store nothing.]'
        '--page-size=[Records a request; auto is a tenth of the count within the source'\''s limit.]:n|auto:(auto)'
        '--concurrency=[Requests at the same time; auto finds what the server allows, up to 8.]:n|auto:(auto)'
        '--rate=[At most so many requests in a time, such as 5/s or 100/m.]:rate:'
        '--retries=[How often a failed request is repeated.]:retries:'
        '--timeout=[How long one request may take\: 30, 30s, 2m or 500ms.]:time:'
        '--max-wait=[The longest pause asked for by a server that is waited for.]:time:'
        '--db=[The database.]:path:_files'
        '--refresh[Ask for whole sources again although the server promised no change.]'
        '--csv=[Export as CSV when done, - for standard output.]:file:_files'
        '--json[Print events on standard output, one JSON object a line, instead of text.]'
        '(-q --quiet)'{-q,--quiet}'[Print errors only.]'
        '(-v --verbose)'{-v,--verbose}'[Print a line for each request and retry.]'
        '--color=[Whether to use colour; NO_COLOR turns it off too.]:when:(auto always never)'
        '--version[Show the version.]'
        '(-h --help)'{-h,--help}'[Show help information.]'
    )
    _arguments -w -s -S : "${specifications[@]}"
}

_crawl_load() {
    local -a specifications=(
        '*--endpoint=[Ask another address for a source; may be repeated.]:name=url:'
        '*--set=[Fill a {placeholder} of a source'\''s address, such as symbols=AAPL,SAP.DE; may be repeated.]:name=value:'
        '--offline[Use the built-in stand-in; its data are made up.]'
        '--live[Never use the stand-in, whatever happens to the public service.]'
        '--dry-run[Say what would be done; request and store nothing.]'
        '--page-size=[Records a request; auto is a tenth of the count within the source'\''s limit.]:n|auto:(auto)'
        '--concurrency=[Requests at the same time; auto finds what the server allows, up to 8.]:n|auto:(auto)'
        '--rate=[At most so many requests in a time, such as 5/s or 100/m.]:rate:'
        '--retries=[How often a failed request is repeated.]:retries:'
        '--timeout=[How long one request may take\: 30, 30s, 2m or 500ms.]:time:'
        '--max-wait=[The longest pause asked for by a server that is waited for.]:time:'
        '--db=[The database.]:path:_files'
        '--fresh[Replace the stored records of the source; the old ones go when the first page comes.]'
        '--refresh[Ask for whole sources again although the server promised no change.]'
        '--csv=[Export as CSV when done, - for standard output.]:file:_files'
        '--json[Print events on standard output, one JSON object a line, instead of text.]'
        '(-q --quiet)'{-q,--quiet}'[Print errors only.]'
        '(-v --verbose)'{-v,--verbose}'[Print a line for each request and retry.]'
        '--color=[Whether to use colour; NO_COLOR turns it off too.]:when:(auto always never)'
        '--partial[Of a group, store what arrived although another of its sources failed.]'
        '--version[Show the version.]'
        '(-h --help)'{-h,--help}'[Show help information.]'
        '*:names:(posts tickers quotes markets randomuser)'
    )
    _arguments -w -s -S : "${specifications[@]}"
}

_crawl_watch() {
    local -a specifications=(
        '--every=[The time from one load to the next\: 60s, 10m or 1h.]:time:'
        '--rounds=[Stop after so many loads.]:rounds:'
        '*--endpoint=[Ask another address for a source; may be repeated.]:name=url:'
        '*--set=[Fill a {placeholder} of a source'\''s address, such as symbols=AAPL,SAP.DE; may be repeated.]:name=value:'
        '--offline[Use the built-in stand-in; its data are made up.]'
        '--live[Never use the stand-in, whatever happens to the public service.]'
        '--page-size=[Records a request; auto is a tenth of the count within the source'\''s limit.]:n|auto:(auto)'
        '--concurrency=[Requests at the same time; auto finds what the server allows, up to 8.]:n|auto:(auto)'
        '--rate=[At most so many requests in a time, such as 5/s or 100/m.]:rate:'
        '--retries=[How often a failed request is repeated.]:retries:'
        '--timeout=[How long one request may take\: 30, 30s, 2m or 500ms.]:time:'
        '--max-wait=[The longest pause asked for by a server that is waited for.]:time:'
        '--db=[The database.]:path:_files'
        '--json[Print events on standard output, one JSON object a line, instead of text.]'
        '(-q --quiet)'{-q,--quiet}'[Print errors only.]'
        '(-v --verbose)'{-v,--verbose}'[Print a line for each request and retry.]'
        '--color=[Whether to use colour; NO_COLOR turns it off too.]:when:(auto always never)'
        '--partial[Of a group, store what arrived although another of its sources failed.]'
        '--version[Show the version.]'
        '(-h --help)'{-h,--help}'[Show help information.]'
        '*:names:(posts tickers quotes markets)'
    )
    _arguments -w -s -S : "${specifications[@]}"
}

_crawl_list() {
    local -a specifications=(
        '--columns=[The columns to show, separated by commas.]:columns:'
        '(-n --limit)'{-n,--limit=}'[The most records; 0 for all.]:limit:'
        '--db=[The database.]:path:_files'
        '--color=[Whether to use colour; NO_COLOR turns it off too.]:when:(auto always never)'
        '--version[Show the version.]'
        '(-h --help)'{-h,--help}'[Show help information.]'
        ':name:(users posts tickers quotes randomuser)'
    )
    _arguments -w -s -S : "${specifications[@]}"
}

_crawl_export() {
    local -a specifications=(
        '--format=[The format of the file.]:format:(csv tsv json ndjson)'
        '(-o --output)'{-o,--output=}'[The file to write, - for standard output.]:file:_files'
        '--columns=[The columns to write, separated by commas.]:columns:'
        '--excel[For spreadsheets\: begin with a byte order mark, and keep text from being taken for a formula.]'
        '--db=[The database.]:path:_files'
        '--version[Show the version.]'
        '(-h --help)'{-h,--help}'[Show help information.]'
        ':name:(users)'
    )
    _arguments -w -s -S : "${specifications[@]}"
}

_crawl_status() {
    local -a specifications=(
        '--json[Print one JSON object instead of a table.]'
        '--db=[The database.]:path:_files'
        '--version[Show the version.]'
        '(-h --help)'{-h,--help}'[Show help information.]'
    )
    _arguments -w -s -S : "${specifications[@]}"
}

_crawl_verify() {
    local -a specifications=(
        '--json[Print one JSON object instead of text.]'
        '--db=[The database.]:path:_files'
        '--version[Show the version.]'
        '(-h --help)'{-h,--help}'[Show help information.]'
    )
    _arguments -w -s -S : "${specifications[@]}"
}

_crawl_sources() {
    local -a specifications=(
        '--schema[Print the JSON Schema of source files.]'
        '--json[Print one JSON object instead of a table.]'
        '--color=[Whether to use colour; NO_COLOR turns it off too.]:when:(auto always never)'
        '--version[Show the version.]'
        '(-h --help)'{-h,--help}'[Show help information.]'
        ':name:(users posts tickers quotes randomuser markets)'
    )
    _arguments -w -s -S : "${specifications[@]}"
}

_crawl_probe() {
    local -a specifications=(
        '--name=[The name of the source and its table; made from the address by default.]:name:'
        '(-o --output)'{-o,--output=}'[The source file to write; a file that says something else already is left alone.]:file:_files'
        '--key=[The columns that together identify a record, separated by commas; found by default.]:columns:'
        '*--header=[A header to ask with, also in the source file; ${NAME} is taken from the environment.]:name\: value:'
        '--timeout=[How long one request may take\: 30, 30s, 2m or 500ms.]:time:'
        '--run[Crawl with the source file that was written.]'
        '--count=[How many distinct records shall be stored; with --run.]:count:'
        '--db=[The database.]:path:_files'
        '--json[Print events on standard output, one JSON object a line, instead of text.]'
        '(-q --quiet)'{-q,--quiet}'[Print errors only.]'
        '(-v --verbose)'{-v,--verbose}'[Print a line for each request and retry.]'
        '--color=[Whether to use colour; NO_COLOR turns it off too.]:when:(auto always never)'
        '--version[Show the version.]'
        '(-h --help)'{-h,--help}'[Show help information.]'
        ':url:'
    )
    _arguments -w -s -S : "${specifications[@]}"
}

_crawl_mock-api() {
    local -a specifications=(
        '--port=[The port; 0 chooses a free one.]:port:'
        '--seed=[The seed of the made-up data.]:seed:'
        '--people=[How many different people there are; the fewer, the more duplicates.]:people:'
        '--latency=[Milliseconds to wait before each answer.]:ms:'
        '*--fault=[Answer each so many requests with a fault; may be repeated.]:kind\:every:'
        '--version[Show the version.]'
        '(-h --help)'{-h,--help}'[Show help information.]'
    )
    _arguments -w -s -S : "${specifications[@]}"
}

_crawl_help() {
    local -a specifications=(
        ':subcommand:(resume load watch list export status verify sources probe mock-api)'
    )
    _arguments -w -s -S : "${specifications[@]}"
}

if [[ "${funcstack[1]}" = _crawl ]]; then
    _crawl "${@}"
else
    compdef _crawl crawl
fi
