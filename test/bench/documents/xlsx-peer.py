"""Writes the table of a JSON file with XlsxWriter, styled as the engine styles it, and prints milliseconds per round."""
import datetime
import io
import json
import sys
import time

import xlsxwriter

table = json.load(open(sys.argv[1]))
rounds = int(sys.argv[2])


def write():
    out = io.BytesIO()
    book = xlsxwriter.Workbook(out, {"in_memory": True})
    sheet = book.add_worksheet("Data")
    header = book.add_format({"bold": True, "font_color": "#FFFFFF", "bg_color": "#1F3A5F", "text_wrap": True})
    formats = []
    for fill in (None, "#F2F5F9"):
        line = []
        for column in table["columns"]:
            properties = {"bottom": 7, "bottom_color": "#CBD5E1", "font_color": "#1F2933"}
            if fill:
                properties["bg_color"] = fill
            if column["code"]:
                properties["num_format"] = column["code"]
            line.append(book.add_format(properties))
        formats.append(line)
    for index, column in enumerate(table["columns"]):
        sheet.set_column(index, index, column["width"])
        sheet.write_string(0, index, column["header"], header)
    dates = {index for index, column in enumerate(table["columns"]) if column["date"]}
    for number, row in enumerate(table["rows"]):
        styles = formats[number % 2]
        for index, value in enumerate(row):
            if index in dates:
                sheet.write_datetime(number + 1, index, datetime.datetime.fromisoformat(value), styles[index])
            elif isinstance(value, str):
                sheet.write_string(number + 1, index, value, styles[index])
            else:
                sheet.write_number(number + 1, index, value, styles[index])
    sheet.freeze_panes(1, 0)
    sheet.autofilter(0, 0, len(table["rows"]), len(table["columns"]) - 1)
    sheet.repeat_rows(0)
    book.close()
    return out.getvalue()


write()
times = []
for _ in range(rounds):
    start = time.perf_counter()
    write()
    times.append((time.perf_counter() - start) * 1000)
print(json.dumps(times))
