"""Compare a file of a bracket with the method itself: its targets, facts and matrices are derived again."""

from dualgap.extras.sharpen.certificate import PROVED, Record, with_numbers
from dualgap.extras.sharpen.quantities import QUANTITIES, Task, at, derive
from dualgap.extras.sharpen.worst import Instance, Steps, inside
from dualgap.reference import method
from dualgap.reference.methods.registry import parameters_of

OUTSIDE = "the instance is not in the class of problems"
NO_MOMENTS = "second moments say nothing about this quantity"


def differences(record: Record) -> list[str]:
    """Return the parts of a file that do not follow from the method; empty if there are none.

    Raises ValueError if it is no such file, or if its method is not registered.
    """
    read = with_numbers(record)
    try:
        task = Task.from_json(read["task"])
        if task.quantity not in QUANTITIES or set(task.options) - set(parameters_of(type(method(task.method)))):
            raise ValueError(
                f"the task of the file is not one: method {task.method} has no such option, or no such quantity"
            )
        return _of_proof(task, read) if read["kind"] == PROVED else _of_maps(task, read)
    except ValueError:  # also Nonlinear, which is a TypeError as well
        raise
    except TypeError:  # a list where a number is due, or the reverse
        return ["its parts do not belong together"]


def _of_proof(task: Task, record: Record) -> list[str]:
    found, parameters = derive(task, record["rate"]), record["parameters"]
    if list(parameters) != found.parameters or parameters.get("rate", record["rate"]) != record["rate"]:
        return ["the parameters are not those of the quantity"]
    wanted = [at(target, parameters).terms for target in found.targets]
    if wanted != [item["target"] for item in record["targets"]]:
        return ["the target is not what the method gives for this quantity and rate"]
    if any(facts != item["facts"] for facts, item in zip(found.facts, record["targets"], strict=True)):
        return ["the facts are not those of the class of problems"]
    return []


def _of_maps(task: Task, record: Record) -> list[str]:
    instance = Instance(tuple(map(tuple, record["rows"])), tuple(record["slopes"]))
    if len(instance.rows) != task.n or len(instance.slopes) != task.n or not inside(task, instance):
        return [OUTSIDE]
    steps = Steps(task, instance, derive(task, record["rate"]).follows)
    if steps.maps != record["maps"]:
        return ["the matrices are not the steps of the method on this instance"]
    if record["shows"] == "point":
        return ["the form is not the quantity"] if task.is_distance or steps.form != record["form"] else []
    if not task.is_distance:
        return [NO_MOMENTS]
    return ["the output is not (w, alpha) of the method"] if steps.output != record["output"] else []
