#!/bin/bash
# Completion for crawl; load it with: source <(crawl --generate-completion-script bash)
_crawl_offer() {
    local completion
    while IFS= read -r completion; do
        COMPREPLY+=("$completion")
    done < <(compgen "$@" -- "$current")
}

_crawl_offer_files() {
    compopt -o filenames 2>/dev/null
    _crawl_offer -f
}

_crawl() {
    local current="${COMP_WORDS[COMP_CWORD]}" command="" awaiting="" word="" index
    COMPREPLY=()
    for ((index = 1; index < COMP_CWORD; index++)); do
        word="${COMP_WORDS[index]}"
        [[ "$word" == "=" ]] && continue
        if [[ -n "$awaiting" ]]; then
            awaiting=""
            continue
        fi
        case "$command:$word" in
        :--source|:--count|:--endpoint|:--set|:--page-size|:--concurrency|:--rate|:--retries|:--timeout|:--max-wait|:--db|:--csv|:--color) awaiting="$word" ;;
        resume:--endpoint|resume:--set|resume:--page-size|resume:--concurrency|resume:--rate|resume:--retries|resume:--timeout|resume:--max-wait|resume:--db|resume:--csv|resume:--color) awaiting="$word" ;;
        load:--endpoint|load:--set|load:--page-size|load:--concurrency|load:--rate|load:--retries|load:--timeout|load:--max-wait|load:--db|load:--csv|load:--color) awaiting="$word" ;;
        watch:--every|watch:--rounds|watch:--endpoint|watch:--set|watch:--page-size|watch:--concurrency|watch:--rate|watch:--retries|watch:--timeout|watch:--max-wait|watch:--db|watch:--color) awaiting="$word" ;;
        list:--columns|list:-n|list:--limit|list:--db|list:--color) awaiting="$word" ;;
        export:--format|export:-o|export:--output|export:--columns|export:--db) awaiting="$word" ;;
        status:--db) awaiting="$word" ;;
        verify:--db) awaiting="$word" ;;
        sources:--color) awaiting="$word" ;;
        probe:--name|probe:-o|probe:--output|probe:--key|probe:--header|probe:--timeout|probe:--count|probe:--db|probe:--color) awaiting="$word" ;;
        mock-api:--port|mock-api:--seed|mock-api:--people|mock-api:--latency|mock-api:--fault) awaiting="$word" ;;
        :resume|:load|:watch|:list|:export|:status|:verify|:sources|:probe|:mock-api|:help) command="$word" ;;
        esac
    done
    [[ "$current" == "=" ]] && current=""

    if [[ -n "$awaiting" ]]; then
        case "$command:$awaiting" in
        :--source) _crawl_offer -W 'users'; _crawl_offer_files ;;
        :--page-size) _crawl_offer -W 'auto' ;;
        :--concurrency) _crawl_offer -W 'auto' ;;
        :--db) _crawl_offer_files ;;
        :--csv) _crawl_offer_files ;;
        :--color) _crawl_offer -W 'auto always never' ;;
        resume:--page-size) _crawl_offer -W 'auto' ;;
        resume:--concurrency) _crawl_offer -W 'auto' ;;
        resume:--db) _crawl_offer_files ;;
        resume:--csv) _crawl_offer_files ;;
        resume:--color) _crawl_offer -W 'auto always never' ;;
        load:--page-size) _crawl_offer -W 'auto' ;;
        load:--concurrency) _crawl_offer -W 'auto' ;;
        load:--db) _crawl_offer_files ;;
        load:--csv) _crawl_offer_files ;;
        load:--color) _crawl_offer -W 'auto always never' ;;
        watch:--page-size) _crawl_offer -W 'auto' ;;
        watch:--concurrency) _crawl_offer -W 'auto' ;;
        watch:--db) _crawl_offer_files ;;
        watch:--color) _crawl_offer -W 'auto always never' ;;
        list:--db) _crawl_offer_files ;;
        list:--color) _crawl_offer -W 'auto always never' ;;
        export:--format) _crawl_offer -W 'csv tsv json ndjson' ;;
        export:-o|export:--output) _crawl_offer_files ;;
        export:--db) _crawl_offer_files ;;
        status:--db) _crawl_offer_files ;;
        verify:--db) _crawl_offer_files ;;
        sources:--color) _crawl_offer -W 'auto always never' ;;
        probe:-o|probe:--output) _crawl_offer_files ;;
        probe:--db) _crawl_offer_files ;;
        probe:--color) _crawl_offer -W 'auto always never' ;;
        esac
        return
    fi

    case "$command" in
    "")
        if [[ "$current" == -* ]]; then
            _crawl_offer -W '--source --count --endpoint --set --offline --live --dry-run --page-size --concurrency --rate --retries --timeout --max-wait --db --fresh --refresh --csv --json -q --quiet -v --verbose --color --version -h --help'
        else
            _crawl_offer -W 'resume load watch list export status verify sources probe mock-api help'
        fi
        ;;
    resume)
        if [[ "$current" == -* ]]; then
            _crawl_offer -W '--endpoint --set --offline --live --dry-run --page-size --concurrency --rate --retries --timeout --max-wait --db --refresh --csv --json -q --quiet -v --verbose --color --version -h --help'
        fi
        ;;
    load)
        if [[ "$current" == -* ]]; then
            _crawl_offer -W '--endpoint --set --offline --live --dry-run --page-size --concurrency --rate --retries --timeout --max-wait --db --fresh --refresh --csv --json -q --quiet -v --verbose --color --partial --version -h --help'
        else
            _crawl_offer -W 'posts tickers quotes markets randomuser'
        fi
        ;;
    watch)
        if [[ "$current" == -* ]]; then
            _crawl_offer -W '--every --rounds --endpoint --set --offline --live --page-size --concurrency --rate --retries --timeout --max-wait --db --json -q --quiet -v --verbose --color --partial --version -h --help'
        else
            _crawl_offer -W 'posts tickers quotes markets'
        fi
        ;;
    list)
        if [[ "$current" == -* ]]; then
            _crawl_offer -W '--columns -n --limit --db --color --version -h --help'
        else
            _crawl_offer -W 'users posts tickers quotes randomuser'
        fi
        ;;
    export)
        if [[ "$current" == -* ]]; then
            _crawl_offer -W '--format -o --output --columns --excel --db --version -h --help'
        else
            _crawl_offer -W 'users'
        fi
        ;;
    status)
        if [[ "$current" == -* ]]; then
            _crawl_offer -W '--json --db --version -h --help'
        fi
        ;;
    verify)
        if [[ "$current" == -* ]]; then
            _crawl_offer -W '--json --db --version -h --help'
        fi
        ;;
    sources)
        if [[ "$current" == -* ]]; then
            _crawl_offer -W '--schema --json --color --version -h --help'
        else
            _crawl_offer -W 'users posts tickers quotes randomuser markets'
        fi
        ;;
    probe)
        if [[ "$current" == -* ]]; then
            _crawl_offer -W '--name -o --output --key --header --timeout --run --count --db --json -q --quiet -v --verbose --color --version -h --help'
        fi
        ;;
    mock-api)
        if [[ "$current" == -* ]]; then
            _crawl_offer -W '--port --seed --people --latency --fault --version -h --help'
        fi
        ;;
    help) _crawl_offer -W 'resume load watch list export status verify sources probe mock-api' ;;
    esac
}

complete -F _crawl crawl
