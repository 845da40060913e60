/** What `eep-postgres --help` prints. docs/reference/cli.md contains it. */
export const HELP = `Usage: eep-postgres <command> [options]

Commands
  migrate           apply the pending migrations, in one transaction
  status            list the applied and the missing migrations
  reindex           request a rebuild of the search index from a running service

Options
  --url <url>       the database. Default: DATABASE_URL
  --schema <name>   the schema of the tables. Default: eep
  --dry-run         with migrate: list the pending migrations, and change nothing
  --help            show this text

Exit codes: 0 done and up to date, 1 failed or not up to date, 2 invalid usage.`
