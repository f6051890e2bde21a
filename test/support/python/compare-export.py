"""Read an export with pandas or h5py, and compare every value, unit, gap and instant with what was captured.

Usage: compare-export.py FORM FILE EXPECTED.json
"""
import io
import json
import struct
import sys
from decimal import Decimal

form, path, expected_path = sys.argv[1:]
with open(expected_path, encoding="utf8") as file:
    expected = json.load(file)


def bits(values):
    return [struct.pack("<d", float(value)) for value in values]


def nanoseconds(time_ms):
    return int(Decimal(time_ms) * 1_000_000)


def read_csv():
    with open(path, encoding="utf8", newline="") as file:
        return read_table(file.read())


def read_table(text):
    import pandas as pd

    head = [line for line in text.split("\r\n") if line.startswith("#")]
    table = pd.read_csv(io.StringIO(text), skiprows=len(head), float_precision="round_trip")
    series = {}
    names = {}
    for line in head:
        if line.startswith("# column "):
            number, rest = line[len("# column "):].split(": ", 1)
            names[int(number)] = rest.rsplit(", source ", 1)[1]
    for number, name in enumerate(table.columns[3:], 4):
        filled = table[name].notna()
        channel, unit = name[:-1].rsplit(" [", 1)
        times = [nanoseconds(time) for time in table["unix_ms"][filled]]
        series[(names[number], channel.lstrip("'"), unit)] = (times, list(table[name][filled]))
    gaps = sum(line.startswith("# gap: ") for line in head)
    assert gaps == len(expected["gaps"]), gaps
    for gap in expected["gaps"]:
        start = pd.Timestamp(gap["fromMs"], unit="ms").strftime("%Y-%m-%dT%H:%M:%S.%f")[:-3]
        assert any(line.startswith(f"# gap: {start}Z to ") for line in head), start
    return series


def read_nexus():
    import h5py
    import pandas as pd

    series = {}
    with h5py.File(path, "r") as file:
        entry = file["entry"]
        assert "definition" not in entry
        for sensor in entry["instrument"].values():
            log = sensor["value_log"]
            start = pd.Timestamp(log["time"].attrs["start"]).value
            assert log["time"].attrs["units"] == "s"
            times = [start + round(time * 1e9) for time in log["time"][:].tolist()]
            unit = log["value"].attrs["original_units"]
            key = (sensor.attrs["source"], sensor["name"][()].decode(), unit)
            series[key] = (times, log["value"][:].tolist())
            if unit == "°C":
                assert log["value"].attrs["units"] == "degC"
            if unit == "sccm":
                assert "units" not in log["value"].attrs
        gaps = entry["gaps"]
        start = pd.Timestamp(gaps.attrs["start"]).value // 1_000_000
        rows = zip(gaps["source"][:], gaps["start_s"][:], gaps["end_s"][:], gaps["reason_text"][:])
        found = [(s.decode(), start + round(a * 1000), start + round(b * 1000), r.decode()) for s, a, b, r in rows]
        wanted = [(gap["source"], gap["fromMs"], gap["toMs"], gap["cause"]) for gap in expected["gaps"]]
        assert found == wanted, (found, wanted)
    return series


def read_package():
    import hashlib
    import zipfile

    import pandas as pd

    with zipfile.ZipFile(path) as package:
        assert package.testzip() is None
        graph = json.loads(package.read("ro-crate-metadata.json"))["@graph"]
        described = {node["@id"]: node for node in graph if node["@type"] == "File"}
        assert set(package.namelist()) == {*described, "ro-crate-metadata.json"}
        for name, node in described.items():
            content = package.read(name)
            assert node["sha256"] == hashlib.sha256(content).hexdigest(), name
            assert node["contentSize"] == str(len(content)), name
        gaps = pd.read_csv(package.open("gaps.csv"))
        found = [
            (source, pd.Timestamp(start).value // 1_000_000, pd.Timestamp(end).value // 1_000_000, cause)
            for source, start, end, cause in gaps.itertuples(index=False)
        ]
        assert found == [(gap["source"], gap["fromMs"], gap["toMs"], gap["cause"]) for gap in expected["gaps"]], found
        return read_table(package.read("series.csv").decode())


def to_si(unit, value):
    if unit == "°C":
        return value + 273.15
    return value * {"mbar": 100, "Pa": 1, "K": 1, "W": 1, "sccm": 1e-6 / 60}[unit]


CLASSES = {"nomad-mbe": "mbe.MolecularBeamEpitaxy", "nomad-sputter": "sputtering.SputterDeposition"}


def check_archive():
    """The archive for NOMAD: each channel that it holds, in SI, with the times of the HDF5."""
    import pandas as pd

    with open(path[:-3] + ".archive.json", encoding="utf8") as file:
        data = json.load(file)["data"]
    assert data["m_def"] == "nomad_material_processing.vapor_deposition.pvd." + CLASSES[form]
    [step] = data["steps"]
    start = pd.Timestamp(step["start_time"])
    for instant in (data["datetime"], data["end_time"], step["start_time"]):
        assert pd.Timestamp(instant).tzinfo is not None, instant
    held = {}
    if "pressure" in step["environment"]:
        held["pressure"] = step["environment"]["pressure"]
    for flow in step["environment"].get("gas_flow", []):
        held[flow["gas"]["name"]] = flow["flow_rate"]
    for parameters in step.get("sample_parameters", []):
        held["substrate"] = parameters["substrate_temperature"]
    for source in step.get("sources", []):
        held[source["name"]] = source["vapor_source"]["power"]
    names = {"pressure": "chamber", "substrate": "substrate"}
    for name, series in held.items():
        assert set(series) == {"value", "time"}, name
        wanted = names.get(name, name)
        times, values = [], []
        for one in expected["series"]:
            if one["channel"] == wanted or (name in names and wanted in one["channel"]):
                times += [nanoseconds(time) for time in one["timesMs"]]
                values += [to_si(one["unit"], struct.unpack("<d", bytes.fromhex(value))[0]) for value in one["values"]]
        assert [start.value + round(time * 1e9) for time in series["time"]] == times, name
        assert bits(series["value"]) == bits(values), name
    print("archive holds", ", ".join(held))


readers = {"csv": read_csv, "nexus": read_nexus, "package": read_package}
read = readers.get(form, read_nexus)()
if form in CLASSES:
    check_archive()
points = 0
for one in expected["series"]:
    times, values = read.pop((one["source"], one["channel"], one["unit"]))
    assert times == [nanoseconds(time) for time in one["timesMs"]], one["channel"]
    assert bits(values) == [bytes.fromhex(value) for value in one["values"]], one["channel"]
    points += len(values)
assert not read, list(read)
print(f"{points} points, {len(expected['series'])} series, {len(expected['gaps'])} gaps are the same")
