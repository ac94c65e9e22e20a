"""Calls the server at argv[1] as a Python caller would, knowing nothing but reflection, and prints what came as JSON."""

import json
import sys

import grpc
from google.protobuf import message_factory
from google.protobuf.descriptor_pool import DescriptorPool
from google.protobuf.json_format import MessageToDict, ParseDict
from google.rpc import error_details_pb2
from grpc_reflection.v1alpha.proto_reflection_descriptor_database import ProtoReflectionDescriptorDatabase
from grpc_status import rpc_status

channel = grpc.insecure_channel(sys.argv[1])
database = ProtoReflectionDescriptorDatabase(channel)
pool = DescriptorPool(database)
key = (("authorization", "Bearer good"),)


def call(name, request, metadata=key, timeout=10):
    service, method_name = name.split("/")
    method = pool.FindServiceByName(service).FindMethodByName(method_name)
    input_class = message_factory.GetMessageClass(method.input_type)
    output_class = message_factory.GetMessageClass(method.output_type)
    kind = channel.unary_stream if method.server_streaming else channel.unary_unary
    stub = kind("/" + name, input_class.SerializeToString, output_class.FromString)
    message = ParseDict(request, input_class())
    to_dict = lambda each: MessageToDict(each, preserving_proto_field_name=True)
    try:
        if method.server_streaming:
            stream = stub(message, metadata=metadata, timeout=timeout)
            headers = dict(stream.initial_metadata())
            return {"messages": [to_dict(each) for each in stream], "headers": headers}
        reply, made = stub.with_call(message, metadata=metadata, timeout=timeout)
        return {"message": to_dict(reply), "headers": dict(made.initial_metadata())}
    except grpc.RpcError as error:
        info = error_details_pb2.ErrorInfo()
        status = rpc_status.from_call(error)
        found = status is not None and any(detail.Unpack(info) for detail in status.details)
        return {
            "code": error.code().name,
            "details": error.details(),
            "reason": info.reason if found else None,
            "metadata": dict(info.metadata) if found else None,
        }


print(
    json.dumps(
        {
            "services": sorted(database.get_services()),
            "health": call("service.health.v1.HealthService/GetHealth", {}),
            "refused": call("service.health.v1.HealthService/GetHealth", {}, metadata=()),
            "failed": call("service.chat.v1.ChatService/Chat", {"message": "fail"}),
            "late": call("service.chat.v1.ChatService/Chat", {"message": "wait"}, timeout=0.2),
            "stream": call("service.chat.v1.ChatService/StreamChat", {"chat": {"message": "one two"}}),
            "file": call("service.generator.v1.GeneratorService/GenerateExcel", {"columns": [{"header": "a"}]}),
        }
    )
)
