import type { Migration } from './index.ts'

export const m0137OwnedAddresses: Migration = [
  'alter table accounts add column email_owned boolean not null default false',
  // Until now an address was verified only in a session of its account, or by a takeover, a provider or the host.
  'update accounts set email_owned = true where email_verified',
  // By a trigger, because processes of the previous release know only one of the columns.
  `create function clear_email_owned() returns trigger language plpgsql set search_path from current as $$
  begin
    if not new.email_verified then
      new.email_owned := false;
    end if;
    return new;
  end $$`,
  `create trigger accounts_email_owned before update of email_verified, email_owned on accounts
  for each row execute function clear_email_owned()`,
]
