const names = (text: string): readonly string[] => text.trim().split(/\s+/);

/**
 * Functions of MariaDB and MySQL that a reading statement may call: those that compute from their arguments and from
 * rows alone. What sleeps, locks, reads files, takes numbers of sequences or asks for the session is not among them.
 */
export const mysqlFunctions: ReadonlySet<string> = new Set([
  // aggregates and windows
  ...names(`
    any_value avg bit_and bit_or bit_xor count cume_dist dense_rank first_value group_concat json_arrayagg
    json_objectagg lag last_value lead max median min nth_value ntile percent_rank percentile_cont percentile_disc
    rank row_number std stddev stddev_pop stddev_samp sum var_pop var_samp variance`),
  // conditions and comparison
  ...names(
    'coalesce decode_oracle greatest if ifnull in interval isnull least nullif nvl nvl2 strcmp grouping values value',
  ),
  // numbers
  ...names(`
    abs acos asin atan atan2 bin bit_count ceil ceiling conv cos cot crc32 degrees div exp floor format hex ln log log10
    log2 mod oct pi pow power radians rand round sign sin sqrt tan truncate unhex`),
  // text
  ...names(`
    ascii bit_length char char_length character_length chr concat concat_ws elt export_set field find_in_set from_base64
    insert instr lcase left length lengthb locate lower lpad ltrim make_set mid natural_sort_key octet_length ord
    position quote regexp_instr regexp_like regexp_replace regexp_substr repeat replace reverse right rpad rtrim sformat
    soundex space substr substring substring_index to_base64 to_char trim ucase upper weight_string`),
  // dates and times
  ...names(`
    add_months adddate addtime convert_tz curdate current_date current_time current_timestamp curtime date date_add
    date_format date_sub datediff day dayname dayofmonth dayofweek dayofyear extract from_days from_unixtime get_format
    hour last_day localtime localtimestamp makedate maketime microsecond minute month monthname now period_add
    period_diff quarter sec_to_time second str_to_date subdate subtime sysdate time time_format time_to_sec timediff
    timestamp timestampadd timestampdiff to_days to_seconds unix_timestamp utc_date utc_time utc_timestamp week weekday
    weekofyear year yearweek months_between`),
  // JSON
  ...names(`
    json_array json_array_append json_array_insert json_compact json_contains json_contains_path json_depth json_detailed
    json_equals json_exists json_extract json_insert json_keys json_length json_loose json_merge json_merge_patch
    json_merge_preserve json_normalize json_object json_overlaps json_pretty json_query json_quote json_remove
    json_replace json_search json_set json_table json_type json_unquote json_valid json_value`),
  // types, hashes, addresses, identity of the server
  ...names(`
    binary cast charset coercibility collation convert database inet6_aton inet6_ntoa inet_aton inet_ntoa is_ipv4
    is_ipv6 md5 schema sha sha1 sha2 uuid version compress uncompress uncompressed_length`),
  // geometry
  ...names(`
    st_area st_asgeojson st_astext st_contains st_distance st_distance_sphere st_geomfromtext st_intersects st_within
    st_x st_y point`),
]);

/** Functions that no statement may call: they reach files, hold locks, wait, or run programs. */
export const mysqlRefusedFunctions: ReadonlySet<string> = new Set(
  names(`
    benchmark get_lock is_free_lock is_used_lock load_file master_gtid_wait master_pos_wait release_all_locks
    release_lock sleep source_pos_wait sys_eval sys_exec sys_get sys_set wait_for_executed_gtid_set
    wait_until_sql_thread_after_gtids`),
);

/** Words that stand before a parenthesis without being functions. */
export const mysqlWordsBeforeParenthesis: ReadonlySet<string> = new Set(
  names(`
    against all and any as between bigint binary by case char character columns cross date datetime decimal dec distinct
    distinctrow div double dual else end escape except exists float for force from group having ignore in index inner
    int integer intersect interval into is join json key keys lateral left like limit minus mod natural nested nchar not
    nvarchar numeric offset on or order outer over partition partitions regexp right rlike row rows select set signed
    some straight_join table then time union unsigned use using value values varbinary varchar when where window
    with xor year`),
);
