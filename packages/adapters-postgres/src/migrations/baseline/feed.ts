import type { Migration } from '../index.ts'

export const feed: Migration = [
  `create table feed_posts (
    id bigint generated always as identity primary key,
    profile_id bigint not null references profiles on delete cascade,
    account_id uuid references accounts on delete set null,
    body text not null,
    reply_to bigint,
    attachments bigint[] not null,
    created_at timestamptz not null,
    hidden_at timestamptz,
    likes bigint not null default 0 check (likes >= 0),
    replies bigint not null default 0 check (replies >= 0)
  )`,
  'create index feed_posts_by_time on feed_posts (created_at desc, id desc) where hidden_at is null',
  // Not partial, because the profile is deleted by it, too.
  'create index feed_posts_of_profile on feed_posts (profile_id, created_at desc, id desc) include (hidden_at)',
  'create index feed_posts_replies on feed_posts (reply_to, created_at desc, id desc) where reply_to is not null',
  'create index feed_posts_of_account on feed_posts (account_id) where account_id is not null',

  `create table feed_hashtags (
    hashtag text not null,
    created_at timestamptz not null,
    post_id bigint not null references feed_posts on delete cascade,
    primary key (post_id, hashtag)
  )`,
  'create index feed_hashtags_by_time on feed_hashtags (hashtag, created_at desc, post_id desc)',

  `create table feed_mentions (
    post_id bigint not null references feed_posts on delete cascade,
    start integer not null,
    profile_id bigint not null references profiles on delete cascade,
    primary key (post_id, start)
  )`,
  'create index feed_mentions_of_profile on feed_mentions (profile_id)',

  `create table feed_likes (
    post_id bigint not null references feed_posts on delete cascade,
    account_id uuid not null references accounts on delete cascade,
    created_at timestamptz not null,
    primary key (post_id, account_id)
  )`,
  'create index feed_likes_of_account on feed_likes (account_id)',

  `create table feed_closed_accounts (
    account_id uuid primary key references accounts on delete cascade,
    closed_at timestamptz not null
  )`,

  // Posts also go with their profile, so the database itself keeps the counts of what they replied to. The rows are locked
  // in a fixed order to avoid deadlocks.
  `create function uncount_feed_replies() returns trigger language plpgsql set search_path from current as $$
    begin
      perform from feed_posts
        where id in (select reply_to from went where reply_to is not null and hidden_at is null)
        order by id for no key update;
      update feed_posts set replies = feed_posts.replies - lost.count
        from (
          select reply_to, count(*) as count from went where reply_to is not null and hidden_at is null group by reply_to
        ) lost
        where feed_posts.id = lost.reply_to;
      return null;
    end $$`,
  `create trigger feed_posts_went after delete on feed_posts referencing old table as went
    for each statement execute function uncount_feed_replies()`,
]
